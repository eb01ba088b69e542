import { describe, expect, test } from 'vitest'
import type { Row } from '../../../../src/query/rows.ts'
import { inBatches } from '../../../../src/query/stream.ts'
import { summarize, summarizeStage } from '../../../../src/services/sirp/engine/summarize.ts'
import { CountBudget } from '../../../../src/services/sirp/engine/valueCounts.ts'

const summaryOf = (rows: readonly Row[], budget?: CountBudget) => summarize(inBatches(rows), [], budget)

describe('a summary', () => {
  test('describes each column in the order of its first appearance', async () => {
    const rows = [{ a: 3, b: 'x' }, { a: 1, b: '', c: null }, { a: 3, b: 'y', d: true }, { b: 'x', d: 2, e: '10' }, { e: '9' }]
    expect(await summaryOf(rows)).toEqual({
      rows: 5,
      stages: [],
      columns: [
        { column: 'a', type: 'number', filled: 3, distinct: 2, min: 1, max: 3, mean: 7 / 3, frequent: [{ value: 3, count: 2 }, { value: 1, count: 1 }] },
        { column: 'b', type: 'string', filled: 3, distinct: 2, min: 'x', max: 'y', mean: null, frequent: [{ value: 'x', count: 2 }, { value: 'y', count: 1 }] },
        { column: 'c', type: 'null', filled: 0, distinct: 0, min: null, max: null, mean: null, frequent: [] },
        { column: 'd', type: 'mixed', filled: 2, distinct: 2, min: 2, max: 2, mean: 2, frequent: [{ value: true, count: 1 }, { value: 2, count: 1 }] },
        { column: 'e', type: 'string', filled: 2, distinct: 2, min: 9, max: 10, mean: 9.5, frequent: [{ value: '10', count: 1 }, { value: '9', count: 1 }] },
      ],
    })
  })

  test('of no rows is empty, and shows its stages', async () => {
    const row = { stage: 0, label: null, command: 'range', rowsIn: 0n, rowsOut: 3n, ms: 1.5, jobs: 1, retries: 0, bytes: 20n, cacheHits: 0 }
    const shown = { stage: 0, command: 'range', rowsIn: 0, rowsOut: 3, ms: 1.5, jobs: 1, retries: 0, bytes: 20, cacheHits: 0 }
    expect(summarizeStage(row)).toEqual(shown)
    expect(summarizeStage({ ...row, label: 'first' })).toEqual({ ...shown, label: 'first' })
    expect(await summarize(inBatches([]), [shown])).toEqual({ rows: 0, columns: [], stages: [shown] })
  })

  test('counts up to 100,000 values exactly, and estimates more of them closely', async () => {
    const rows = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ text: `value ${n}`, number: n, often: n % 4 === 0 ? 'hot' : `cold ${n}` }))
    const exact = await summaryOf(rows(100_000))
    expect(exact.columns.map(({ distinct }) => distinct)).toEqual([100_000, 100_000, 75_001])
    const { columns } = await summaryOf(rows(250_000))
    for (const { column, distinct } of columns) expect(Math.abs(distinct - (column === 'often' ? 187_501 : 250_000)) / 250_000).toBeLessThan(0.06)
    expect(columns[2]?.frequent[0]).toEqual({ value: 'hot', count: 62_500 })
    expect(columns.map(({ filled }) => filled)).toEqual([250_000, 250_000, 250_000])
  })

  test('holds no more values of all columns together than its budget', async () => {
    const rows: Row[] = Array.from({ length: 3_000 }, (_, n) => ({ a: n, b: `${n}`, c: n % 2, d: 'x'.repeat(n % 50) }))
    const { columns } = await summaryOf(rows, new CountBudget(1_000, 10_000))
    expect(columns.map(({ filled }) => filled)).toEqual([3_000, 3_000, 3_000, 2_940])
    for (const at of [0, 1]) expect(Math.abs((columns[at]?.distinct ?? 0) - 3_000)).toBeLessThan(200)
    expect(columns[2]?.frequent.toSorted((a, b) => Number(a.value) - Number(b.value))).toEqual([{ value: 0, count: 1_500 }, { value: 1, count: 1_500 }])
  })
})
