import { checkNode } from './setup/node.mjs'

checkNode()

// Loaded only now: an old Node must see the message above, not a syntax error.
const { fail } = await import('./setup/failure.mjs')
try {
  const { check } = await import('./setup/check.mjs')
  const { holdSignals } = await import('./setup/run.mjs')
  const { setUp } = await import('./setup/setup.mjs')
  holdSignals()
  const { chromePath } = await setUp()
  process.exit(await check({ vitestArgs: process.argv.slice(2), env: { CHROME_PATH: chromePath } }))
} catch (error) {
  fail(error)
}
