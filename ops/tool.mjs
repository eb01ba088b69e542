import { checkNode } from './setup/node.mjs'

checkNode()

// Sets up whatever is missing, then runs the built tool that is named first: `node ops/tool.mjs bench/index http`.
const { fail } = await import('./setup/failure.mjs')
try {
  const { setUp } = await import('./setup/setup.mjs')
  await setUp()
  const [tool] = process.argv.splice(2, 1)
  await import(`../dist/ops/${tool}.js`)
} catch (error) {
  fail(error)
}
