import { checkNode } from './setup/node.mjs'

checkNode()

// Loaded only now: an old Node must see the message above, not a syntax error.
const { fail } = await import('./setup/failure.mjs')
try {
  const { root } = await import('./setup/paths.mjs')
  const { holdSignals } = await import('./setup/run.mjs')
  const { setUp } = await import('./setup/setup.mjs')
  const releaseSignals = holdSignals()
  const { chromePath } = await setUp()
  const { up } = await import('../dist/ops/up.js')
  releaseSignals()
  // In this very process, so that a signal to the command reaches the one that must drain the others.
  process.exit(await up({ args: process.argv.slice(2), env: { ...process.env, CHROME_PATH: chromePath }, root }))
} catch (error) {
  fail(error)
}
