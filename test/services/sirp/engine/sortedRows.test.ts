import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { describe, expect } from 'vitest'
import type { Row } from '../../../../src/query/rows.ts'
import { collectRows } from '../../../../src/query/stream.ts'
import { queueOf } from '../../../../src/services/queuesOf.ts'
import { openSorted } from '../../../../src/services/sirp/engine/sortedRows.ts'
import { orderProcessor } from '../../../../workers/query/order.ts'
import { openScratch } from '../../../../workers/query/scratch.ts'
import { test, type RunningApi } from '../../../support/api.ts'
import { keepRows } from '../../../support/keptQueries.ts'

const bounds = { atOnceRows: 100, waitMs: 60_000 }

/** Rows whose column `v` is in no order, holds numbers, texts and nothing, and has many equals. */
const mixedRows: Row[] = Array.from({ length: 5_000 }, (_, n) => ({ n, v: n % 7 === 0 ? null : n % 3 === 0 ? String((n * 7_919) % 500) : (n * 7_919) % 500 }))

/** Does the jobs that wait, as a worker would. */
async function workOff({ house }: RunningApi): Promise<number> {
  const order = orderProcessor(house, () => openScratch(tmpdir(), 100_000))
  const jobs = await queueOf(house, 'query').getJobs(['waiting', 'prioritized'])
  for (const job of jobs) {
    await order(job.data as never, { jobId: job.id ?? '', attempt: 1, isEnding: () => false, signal: new AbortController().signal, log: house.log })
    await job.remove()
  }
  return jobs.length
}

describe('sorted rows', () => {
  test('are the same whether sorted on the spot or by a worker, which is asked once', async ({ api }) => {
    const { house } = api
    const setId = await keepRows(house, randomUUID(), mixedRows)
    const expected = await openSorted(house, { setId, key: 'v', descending: true })
    const order = { setId, key: 'v', descending: true }
    const readers = [1, 2, 3].map(() => openSorted(house, order, bounds))
    await expect.poll(() => queueOf(house, 'query').getWaitingCount(), { timeout: 20_000 }).toBe(1)
    expect(await workOff(api)).toBe(1)
    for (const reader of readers) {
      const sorted = await reader
      expect(sorted?.total).toBe(5_000)
      expect(await sorted?.page(2_345, 10)).toEqual(await expected?.page(2_345, 10))
      expect(sorted && (await collectRows(sorted.stream(0)))).toEqual(expected && (await collectRows(expected.stream(0))))
    }
    const again = await openSorted(house, order, { ...bounds, waitMs: 0 })
    expect(await again?.page(0, 3)).toEqual(await expected?.page(0, 3))
  })

  test('are sorted by a worker also where they are few and wide, into chunks that are not too large', async ({ api }) => {
    const { house } = api
    const rows = Array.from({ length: 6 }, (_, n) => ({ n, wide: 'x'.repeat(400_000) }))
    const order = { setId: await keepRows(house, randomUUID(), rows), key: 'n', descending: true }
    const reading = openSorted(house, order, { ...bounds, atOnceChars: 1_000_000 })
    await expect.poll(() => workOff(api), { timeout: 20_000 }).toBe(1)
    expect(await (await reading)?.page(0, 6)).toEqual(rows.toReversed())
    const { sortedId } = await house.db.rowOrder.findFirstOrThrow({ where: { setId: order.setId } })
    const chunks = await house.db.rowChunk.findMany({ where: { setId: sortedId }, select: { rowCount: true } })
    expect(chunks.every(({ rowCount }) => rowCount <= 2)).toBe(true)
  })

  test('are made anew where an earlier try ended halfway', async ({ api }) => {
    const { house } = api
    const setId = await keepRows(house, randomUUID(), mixedRows)
    const halfId = await keepRows(house, randomUUID(), mixedRows.slice(0, 10), { complete: false })
    await house.db.rowOrder.create({ data: { setId, key: 'n', descending: false, sortedId: halfId } })
    const reading = openSorted(house, { setId, key: 'n', descending: false }, bounds)
    await expect.poll(() => workOff(api), { timeout: 20_000 }).toBe(1)
    expect(await (await reading)?.page(4_999, 5)).toEqual(mixedRows.slice(-1))
    expect(await house.db.rowSet.count({ where: { id: halfId } })).toBe(0)
  })

  test('that no worker makes in time end the wait with wait_timeout', async ({ api: { house } }) => {
    const setId = await keepRows(house, randomUUID(), mixedRows)
    await expect(openSorted(house, { setId, key: 'v', descending: false }, { ...bounds, waitMs: 300 })).rejects.toMatchObject({ status: 504, code: 'wait_timeout' })
  })

  test('are asked for again where the job gets lost, and refused at once where it fails again', async ({ api: { house } }) => {
    const setId = await keepRows(house, randomUUID(), mixedRows)
    const queue = queueOf(house, 'query')
    const takeAway = async (): Promise<boolean> => {
      const ours = (await queue.getJobs(['waiting'])).find((job) => (job?.data as { setId?: string } | undefined)?.setId === setId)
      await ours?.remove()
      return ours !== undefined
    }
    const reading = expect(openSorted(house, { setId, key: 'v', descending: false }, bounds)).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    for (let turn = 0; turn < 2; turn += 1) await expect.poll(takeAway, { timeout: 20_000 }).toBe(true)
    await reading
    expect(await takeAway()).toBe(false)
  })

  test('are refused for many rows of a stage that has not completed', async ({ api: { house } }) => {
    const setId = await keepRows(house, randomUUID(), mixedRows, { complete: false })
    await expect(openSorted(house, { setId, key: 'v', descending: false }, bounds)).rejects.toMatchObject({ status: 409, code: 'conflict' })
    expect(await openSorted(house, { setId: randomUUID(), key: 'v', descending: false })).toBeNull()
  })
})
