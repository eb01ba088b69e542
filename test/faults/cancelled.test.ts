import { describe, expect, test } from 'vitest'
import { CallFailed } from '../../src/client/index.ts'
import { holderOf } from './harness/site.ts'
import { openStand, type Stand } from './harness/stand.ts'
import { inDatabase } from './harness/verdict.ts'

describe('a cancel', () => {
  test('ends a query that waits, one that runs, and one whose worker or Redis is gone, within its bounds; nothing is written after it', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 1 })
    const [worker] = stand.workers
    if (!worker) throw new Error('the stand has no worker')

    const running = await hanging(stand, 'running')
    expect(await cancel(stand, running)).toBeLessThan(5_000)
    await expect.poll(() => stand.site.hanging.size, { timeout: 5_000 }).toBe(0)
    expect(await refusal(stand, running)).toMatchObject({ code: 'conflict', state: 'cancelled' })

    const writing = await started(stand, 'range 1000000000 || math twice "n * 2"')
    await expect.poll(() => chunksOf(stand, writing), { timeout: 20_000 }).toBeGreaterThan(0)
    expect(await cancel(stand, writing)).toBeLessThan(5_000)
    const written = await chunksOf(stand, writing)
    const { id: over, status } = await stand.call('sirp.query.dispatchWait', { body: { query: 'range 3' } })
    expect(status).toBe('completed')
    expect(await refusal(stand, over)).toMatchObject({ code: 'conflict', state: 'completed' })

    const orphan = await hanging(stand, 'orphan')
    const [socket] = stand.site.hanging
    expect(socket && (await holderOf(socket, [worker.process.pid ?? 0]))).toBe(worker.process.pid)
    await worker.kill()
    expect(await cancel(stand, orphan)).toBeLessThan(25_000)
    expect(await chunksOf(stand, writing)).toBe(written)

    const { id: queued } = await stand.call('sirp.query.dispatch', { body: { query: 'range 5' } })
    expect(await cancel(stand, queued)).toBeLessThan(1_000)

    await worker.start()
    const cutOff = await hanging(stand, 'cut-off')
    await stand.redis.kill()
    expect(await cancel(stand, cutOff)).toBeLessThan(5_000)
    await expect.poll(() => stand.site.hanging.size, { timeout: 5_000 }).toBe(0)
    await stand.restartRedis()

    const ids = [running, writing, orphan, queued, cutOff]
    for (const id of ids) expect(await stand.call('sirp.query.status', { params: { id } })).toMatchObject({ status: 'cancelled' })
    await expect(stand.call('sirp.query.results', { params: { id: writing } })).rejects.toMatchObject({ status: 409 })
  })
})

async function started({ call }: Stand, query: string): Promise<string> {
  const { id } = await call('sirp.query.dispatch', { body: { query } })
  return id
}

/** Starts a query that hangs in a request, and waits until it does. */
async function hanging(stand: Stand, name: string): Promise<string> {
  const id = await started(stand, `api get ${stand.site.origin}/hang/${name}`)
  await expect.poll(() => stand.site.hits.has(`/hang/${name}`), { timeout: 30_000 }).toBe(true)
  return id
}

/** Cancels a query; answers how long it took until it was seen as cancelled. */
async function cancel({ call }: Stand, id: string): Promise<number> {
  const startedAt = performance.now()
  expect(await call('sirp.query.cancel', { params: { id } })).toMatchObject({ status: 'cancelled' })
  return performance.now() - startedAt
}

/** What a cancel of a query that has ended answers. */
async function refusal({ call }: Stand, id: string): Promise<Record<string, unknown>> {
  const error: unknown = await call('sirp.query.cancel', { params: { id } }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CallFailed)
  return error instanceof CallFailed ? error.problem : {}
}

function chunksOf({ databaseUrl }: Stand, queryId: string): Promise<number> {
  return inDatabase(databaseUrl, async (client) => {
    const text = 'SELECT count(*)::integer AS count FROM row_chunks JOIN row_sets ON row_sets.id = set_id WHERE query_id = $1'
    const { rows } = await client.query<{ count: number }>({ text, values: [queryId] })
    return rows[0]?.count ?? 0
  })
}
