import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Batch } from '../../../../src/query/rows.ts'
import { collectRows } from '../../../../src/query/stream.ts'
import { openSet, readPage, streamRows } from '../../../../src/services/sirp/engine/rowPages.ts'
import { test } from '../../../support/api.ts'
import { countedRows, keepRows } from '../../../support/keptQueries.ts'

describe('the rows of a set', () => {
  test.for([true, false])('are read from any place, in batches that are not too large, when complete is %s', async (complete, { api: { house } }) => {
    const rows = countedRows(7_777)
    const setId = await keepRows(house, randomUUID(), rows, { sizes: [1_000, 1, 999, 250], complete })
    for (const from of [0, 1, 999, 1_000, 1_001, 2_500, 7_776, 7_777, 9_000]) {
      const batches: Batch[] = []
      for await (const batch of streamRows(house.pool, setId, from)) batches.push(batch)
      expect(Math.max(0, ...batches.map(({ length }) => length))).toBeLessThanOrEqual(1_000)
      expect(batches.flat()).toEqual(rows.slice(from))
      expect(await readPage(house.pool, setId, { offset: from, limit: 1_234 })).toEqual({ total: 7_777, rows: rows.slice(from, from + 1_234) })
    }
  })

  test.for([true, false])('are read a few at a time where they are wide, when complete is %s', async (complete, { api: { house } }) => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ n, wide: 'x'.repeat(2 ** 20) }))
    const setId = await keepRows(house, randomUUID(), rows, { sizes: [1], complete })
    const source = await openSet(house.pool, setId)
    const lengths: number[] = []
    for await (const piece of source?.pieces(1, 38) ?? []) lengths.push(piece.length)
    expect([lengths.length, lengths.reduce((sum, length) => sum + length, 0)]).toEqual([3, 38])
    expect((await source?.page(1, 38))?.map(({ n }) => n)).toEqual(rows.slice(1, 39).map(({ n }) => n))
    for await (const batch of streamRows(house.pool, setId)) expect(batch.length).toBeLessThanOrEqual(16)
  })

  test('do not end early without a word when they are deleted meanwhile', async ({ api: { house } }) => {
    const setId = await keepRows(house, randomUUID(), countedRows(20_000))
    const stream = streamRows(house.pool, setId)
    await stream.next()
    await house.pool.query('DELETE FROM row_sets WHERE id = $1', [setId])
    await expect(collectRows(stream)).rejects.toMatchObject({ code: 'not_found' })
    expect(await readPage(house.pool, setId, { offset: 0, limit: 1 })).toBeNull()
    await expect(streamRows(house.pool, setId).next()).rejects.toMatchObject({ code: 'not_found' })
  })
})
