import { randomUUID } from 'node:crypto'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate } from '../../../../src/platform/migrations.ts'
import { encodeRecords, readRecord, readRecords, type CommandRecord } from '../../../../src/services/sirp/engine/commandRecords.ts'
import { createEmptyDatabase } from '../../../support/database.ts'
import { makeTestDir } from '../../../support/testDir.ts'
import { openTestPool } from '../../../support/testPool.ts'

const recordOf = (index: number, given: Partial<CommandRecord> = {}): CommandRecord => ({
  index, args: [`/${index}`], flags: { retry: 1 }, status: 'completed', attempts: 1, rows: 2, bytes: 30, ms: 0.5, cached: false, warnings: [], error: null, screenshot: null, flight: false, ...given,
})

async function store(pool: pg.Pool, queryId: string, stage: number, records: readonly CommandRecord[]): Promise<void> {
  for (const { firstIndex, count, data } of await encodeRecords(records)) {
    const values = [queryId, stage, firstIndex, count, 'api', data]
    await pool.query('INSERT INTO command_records (query_id, stage, first_index, count, command, data) VALUES ($1, $2, $3, $4, $5, $6)', values)
  }
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at)

describe('records of commands', () => {
  test('lie together as long as their input rows follow each other', async () => {
    const chunks = await encodeRecords([0, 1, 2, 5, 6, 9].map((index) => recordOf(index)))
    expect(chunks.map(({ firstIndex, count }) => [firstIndex, count])).toEqual([[0, 3], [5, 2], [9, 1]])
    expect(await encodeRecords([])).toEqual([])
  })

  test('are read from any place, across chunks, gaps and stages', async () => {
    const { pool } = await openTestPool()
    const queryId = randomUUID()
    const gap = [...numbers(0, 300), ...numbers(310, 620)]
    await store(pool, queryId, 2, gap.map((index) => recordOf(index)))
    await store(pool, queryId, 2, numbers(300, 310).map((index) => recordOf(index)))
    await store(pool, queryId, 1, [recordOf(0)])
    await store(pool, randomUUID(), 1, [recordOf(0)])
    const read = async (offset: number, limit: number, stage?: number) => {
      const { records, total } = await readRecords({ pool }, { queryId, ...(stage === undefined ? {} : { stage }) }, { offset, limit })
      return [total, records.map((record) => [record.stage, record.index])]
    }
    const all = [[1, 0], ...numbers(0, 620).map((index) => [2, index])]
    for (const [offset, limit] of [[0, 1], [0, 1000], [1, 300], [299, 13], [300, 2], [620, 1], [620, 10], [621, 10], [10_000, 5]] as const) {
      expect(await read(offset, limit)).toEqual([621, all.slice(offset, offset + limit)])
    }
    expect(await read(305, 4, 2)).toEqual([620, numbers(305, 309).map((index) => [2, index])])
    expect(await read(0, 5, 7)).toEqual([0, []])
  })

  test('keep everything of runs that are not like most, and are found one by one', async () => {
    const { pool } = await openTestPool()
    const queryId = randomUUID()
    const error = { code: 'target_failed' as const, detail: 'It is away.', stage: 0 }
    const odd = recordOf(1, { status: 'skipped', attempts: 3, rows: 0, bytes: 5_000_000_000, cached: true, warnings: ['w'], error, screenshot: 'a'.repeat(64), flight: true, args: ['\u0000 "x" \u2028 é😀', null, 1.5, { a: [] }] })
    await store(pool, queryId, 0, [recordOf(0), odd, recordOf(4)])
    const place = { queryId, stage: 0, command: 'api' }
    expect(await readRecord({ pool }, queryId, 0, 0)).toEqual({ ...recordOf(0), ...place })
    expect(await readRecord({ pool }, queryId, 0, 1)).toEqual({ ...odd, ...place })
    for (const index of [2, 3, 5]) expect(await readRecord({ pool }, queryId, 0, index)).toBeUndefined()
    expect(await readRecord({ pool }, queryId, 1, 0)).toBeUndefined()
  })

  test('that lay each in a row of its own before are still there after the migration', async () => {
    const { url, pool } = await openTestPool(createEmptyDatabase)
    const folder = await makeTestDir()
    const before = (await readdir('prisma/migrations')).filter((name) => name < '20261115210000')
    for (const name of before) await cp(join('prisma/migrations', name), join(folder, name), { recursive: true })
    await migrate(url, folder)
    const queryId = randomUUID()
    const error = { code: 'target_status', detail: 'It says "no".', stage: 1 }
    const values = [queryId, JSON.stringify(['é', null]), JSON.stringify({ retry: 1 }), JSON.stringify(error)]
    await pool.query(
      `INSERT INTO query_commands (query_id, stage, index, command, args, flags, status, attempts, rows, bytes, ms, cached, warnings, error, screenshot, flight) VALUES
       ($1, 1, 7, 'api', $2, $3, 'failed', 2, 0, 12, 3.25, false, '["w"]', $4, NULL, false), ($1, 1, 6, 'api', $2, $3, 'completed', 1, 1, 12, 0.5, true, '[]', NULL, 'ab', true)`,
      values,
    )
    await migrate(url, 'prisma/migrations')
    const { records, total } = await readRecords({ pool }, { queryId }, { offset: 0, limit: 10 })
    const usual = { queryId, stage: 1, command: 'api', args: ['é', null], flags: { retry: 1 }, bytes: 12 }
    expect(total).toBe(2)
    expect(records).toEqual([
      { ...usual, index: 6, status: 'completed', attempts: 1, rows: 1, ms: 0.5, cached: true, warnings: [], error: null, screenshot: 'ab', flight: true },
      { ...usual, index: 7, status: 'failed', attempts: 2, rows: 0, ms: 3.25, cached: false, warnings: ['w'], error, screenshot: null, flight: false },
    ])
  })
})
