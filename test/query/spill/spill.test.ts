import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/query/rows.ts'
import { batchesOf, runSpilling } from '../../support/spillingRun.ts'

const enough = 2 ** 26
const texts = fc.oneof(fc.constantFrom('', ' ', '1', '1.0', '2', '10', 'a', 'b', 'é', '\ud800', 'x'.repeat(80)), fc.string({ maxLength: 4 }))
const cell = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0), texts, fc.boolean(), fc.constant(null))
/** Columns of one kind and of all kinds, any of which may be missing. */
const row = fc.record({ k: fc.integer({ min: 0, max: 9 }), v: cell, n: fc.integer({ min: -50, max: 50 }), t: fc.constantFrom('1', '10', '9', '2'), 'g.0': cell, 'g.1': cell }, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Row>
const rows = fc.array(row, { maxLength: 60, size: 'max' })
const sizes = fc.integer({ min: 1, max: 9 })

async function expectSame(text: string, inputs: readonly (readonly Row[])[], size: number, memoryBytes: number): Promise<void> {
  const batches = inputs.map((input) => batchesOf(input, size))
  const inMemory = await runSpilling(text, { inputs: batches, memoryBytes: enough })
  const spilled = await runSpilling(text, { inputs: batches, memoryBytes })
  expect(inMemory.runs).toBe(0)
  // As text, so that the order of the columns counts as well.
  expect(JSON.stringify(spilled.rows)).toBe(JSON.stringify(inMemory.rows))
}

const ofOneStage = [
  'sort v', 'sort v --order descending', 'sort t', 'sort g.* n --order descending --order ascending', 'sort k v', 'sort missing',
  'dedupe', 'dedupe v', 'dedupe k t', 'dedupe g.*', 'groupBy k', 'groupBy v', 'groupBy g.* k',
  'stats count', 'stats count sum(n) avg(n) min(v) max(v) first(v) last(v) stdev(n) by k', 'stats count min(v) max(t) by v', 'stats count by g.*',
  'stats distinct(v) median(v) p95(n) list(v)', 'stats distinct(v) p10(n) list(t) median(g.*) count by k', 'stats list(v) distinct(g.*) by v',
  'count --by v', 'sum n --by t', 'avg n --by v', 'min v --by k', 'max v --by k --row', 'min v --row', 'top 3 v', 'top 100 g.*', 'summarize', 'transpose', 'tail 10001', 'sample 10001 --seed 5',
]
const ofTwoStages = [
  'join other k', 'join other v', 'join other v --type left', 'join other t n --type anti', 'join other v t --type left', 'append other', 'sort v || append other || dedupe',
]

describe('stages beyond their memory', () => {
  test.for(ofOneStage)('answer as in memory: %s', async (command) => {
    await fc.assert(fc.asyncProperty(rows, sizes, fc.constantFrom(1, 700, 3_000), (input, size, memoryBytes) => expectSame(`range 1 || ${command}`, [input], size, memoryBytes)), { numRuns: 15 })
  })

  test.for(ofTwoStages)('answer as in memory with an earlier stage: %s', async (command) => {
    await fc.assert(
      fc.asyncProperty(rows, rows, sizes, fc.constantFrom(1, 700, 3_000), (others, input, size, memoryBytes) => expectSame(`range 1 --labelStage other || range 1 || ${command}`, [others, input], size, memoryBytes)),
      { numRuns: 12 },
    )
  })

  test.for([...ofOneStage, 'join other k', 'append other'])('really use the disk: %s', async (command) => {
    const input = Array.from({ length: 3_000 }, (_, k) => ({ k, v: `value ${k}`, n: k % 7, t: String(k), 'g.0': k }))
    const batches = batchesOf(input, 500)
    const { runs } = await runSpilling(`range 1 --labelStage other || range 1 || ${command}`, { inputs: [batches, batches], memoryBytes: 50_000 })
    const holdsLittle = ['stats count', 'min v --row'].includes(command)
    if (!holdsLittle) expect(runs).toBeGreaterThan(0)
  })

  test('sort anew what was sorted before a number was seen', async () => {
    const input = [...Array.from({ length: 100 }, (_, n) => ({ v: String(n), i: n })), { v: 'x', i: 100 }, { v: 5.5, i: 101 }]
    const { rows } = await runSpilling('range 1 || sort v || table v', { inputs: [batchesOf(input, 10)], memoryBytes: 1 })
    expect(rows.slice(0, 8).map(({ v }) => v)).toEqual(['0', '1', '2', '3', '4', '5', 5.5, '6'])
    expect(rows.at(-1)).toEqual({ v: 'x' })
  })

  test('sort more runs than are merged at once, and keep the order of equals', async () => {
    const input = Array.from({ length: 2_000 }, (_, i) => ({ v: i % 3, i }))
    const { rows } = await runSpilling('range 1 || sort v', { inputs: [batchesOf(input, 10)], memoryBytes: 1 })
    expect(rows).toEqual(input.toSorted((a, b) => a.v - b.v))
  })

  test('give the same rows to several readers of a stage that is on disk', async () => {
    const input = batchesOf(Array.from({ length: 5_000 }, (_, n) => ({ n })), 100)
    const { rows, runs } = await runSpilling('range 1 --labelStage all || filter "n < 10" || append all || append all || count', { inputs: [input], memoryBytes: 10_000 })
    expect(rows).toEqual([{ count: 10_010 }])
    expect(runs).toBeGreaterThan(1)
  })
})
