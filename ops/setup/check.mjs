import { join } from 'node:path'
import { root } from './paths.mjs'
import { step } from './progress.mjs'
import { run } from './run.mjs'

const bin = (path) => join(root, 'node_modules', path)

/** Lint, types and every test; all of them run whatever the others say, and the worst one gives the exit code. */
export async function check({ vitestArgs, env }) {
  const lint = await quiet('Linting', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'])
  const types = await quiet('Checking types', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json', '--pretty', 'false'])
  const vitest = [bin('vitest/vitest.mjs'), 'run', '--config', 'ops/vitest.config.ts', ...vitestArgs]
  const tests = await run(process.execPath, vitest, { env, stdio: 'inherit' })
  return lint || types || tests.code
}

async function quiet(title, args) {
  const { code, output } = await step(title, () => run(process.execPath, args, { endSignal: 'SIGKILL' }), (result) => result.code === 0)
  if (code !== 0) process.stderr.write(`${output.trimEnd()}\n`)
  return code
}
