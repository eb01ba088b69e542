import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('a process whose parent goes while it is being loaded ends by itself', { timeout: 60_000 }, async () => {
  const child = fork('dist/workers/query.js', { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.disconnect()
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
})
