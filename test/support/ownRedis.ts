import { onTestFinished } from 'vitest'
import { startPrivateRedis } from '../../ops/up/privateRedis.ts'
import { makeTestDir } from './testDir.ts'

/** A Redis that the test starts and stops; its address is the same each time. */
export async function prepareRedis() {
  const dir = await makeTestDir()
  const first = await startPrivateRedis({ dir })
  await first.stop()
  const start = async () => {
    const server = await startPrivateRedis({ dir, port: first.port })
    onTestFinished(() => server.stop())
    return server
  }
  return { url: first.url, start }
}
