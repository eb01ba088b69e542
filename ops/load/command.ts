import { writeFile } from 'node:fs/promises'
import { readEnv } from '../../src/platform/env.ts'
import { probeAddressOf } from '../up/address.ts'
import { runLoad } from './load.ts'
import { OptionsError, readOptions, usage } from './options.ts'
import { drawPlot } from './plot.ts'
import { printReport } from './printReport.ts'
import type { Screen } from './progress.ts'
import type { Report } from './report.ts'

/** What the command line gives the load test. */
export interface Surroundings {
  readonly words: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Takes the report. */
  readonly output: Pick<Screen, 'write'>
  /** Takes progress and notes. */
  readonly screen: Screen
  /** Ends the load early. */
  readonly stop: AbortSignal
}

/** `npm run load`: sends queries at a steady rate and tells how the service bears it; gives the exit code. */
export async function loadCommand({ words, env, output, screen, stop }: Surroundings): Promise<number> {
  const { host, port, authScheme } = readEnv(env)
  const options = readOptions(words, { url: probeAddressOf(host, port), key: env['QUERN_API_KEY'], scheme: authScheme })
  if (!options) {
    output.write(usage)
    return 0
  }
  const report = await runLoad(options, screen, stop)
  output.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report))
  if (options.out !== null) await keepPlot(options.out, report, screen)
  // Something accepted was lost, or nothing was accepted at all.
  return report.accepted === 0 || (report.verified?.lost ?? 0) > 0 ? 1 : 0
}

async function keepPlot(path: string, report: Report, screen: Screen): Promise<void> {
  await writeFile(path, drawPlot(report)).catch((error: Error) => {
    throw new OptionsError(`The plot cannot be written: ${error.message}. Name another file with --out.`)
  })
  screen.write(`The plot is in ${path}.\n`)
}
