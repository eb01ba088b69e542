import { SettingsError } from '../../src/platform/env.ts'
import { loadCommand } from './command.ts'
import { OptionsError } from './options.ts'

/** The test could not be made, told apart from one that found something bad. */
const notDone = 2

/** The first signal ends the load and lets the report follow; a second one ends the process. */
function endSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(notDone)
      stop.abort()
    })
  }
  return stop.signal
}

try {
  const { argv, env, stdout, stderr } = process
  process.exitCode = await loadCommand({ words: argv.slice(2), env, output: stdout, screen: stderr, stop: endSignal() })
} catch (error) {
  const expected = error instanceof OptionsError || error instanceof SettingsError
  process.stderr.write(`${expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = notDone
}
