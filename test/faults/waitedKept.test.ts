import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPrivatePostgres } from '../../ops/up/privatePostgres.ts'
import { createClient, send } from '../../src/client/index.ts'
import { migrate } from '../../src/platform/migrations.ts'
import { startApi } from '../support/api.ts'
import { makeTestDir } from '../support/testDir.ts'

describe('a query whose client was tired of waiting', () => {
  test.each([
    ['a wait that ran out', 'sirp.query.dispatchWait', {}, 504],
    ['a preferred wait that ran out', 'sirp.query.dispatch', { prefer: 'wait=1' }, 202],
  ] as const)('outlives the database server after %s', { timeout: 60_000 }, async (_what, operation, headers, status) => {
    const dir = await makeTestDir()
    // Nothing but the commits themselves writes the log to the disk.
    let postgres = await startPrivatePostgres({ dir, settings: { wal_writer_delay: '10s' } })
    onTestFinished(() => postgres.stop())
    await migrate(postgres.url, resolve('prisma/migrations'))
    const api = await startApi({ DATABASE_URL: postgres.url, DISPATCH_WAIT_MS: '100' })
    onTestFinished(() => api.close())

    const client = { baseUrl: api.url, apiKey: api.adminKey }
    const answer = await send(client, operation, { body: { query: 'range 3' }, headers })
    await postgres.kill()
    expect(answer.status).toBe(status)
    const { id } = (await answer.json()) as { id: string }

    postgres = await startPrivatePostgres({ dir, port: postgres.port })
    const read = (): Promise<unknown> => createClient(client)('sirp.query.status', { params: { id } })
    await expect.poll(() => read().catch(() => null), { timeout: 20_000 }).toMatchObject({ id, status: 'queued' })
  })
})
