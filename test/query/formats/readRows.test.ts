import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvHeader, csvLines } from '../../../src/query/formats/csvWriter.ts'
import { ndjsonLines } from '../../../src/query/formats/ndjsonWriter.ts'
import { readRows, surveyRows } from '../../../src/query/formats/readRows.ts'
import { flatten } from '../../../src/query/rows.ts'
import { rowsOf, slicesOf } from '../../support/slices.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const data = fc.array(fc.dictionary(text, fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }), { maxKeys: 5, noNullPrototype: true }), { maxLength: 8 })
const sliceLength = fc.integer({ min: 1, max: 20 })

/** What an exact comparison of numbers needs: JSON knows no negative zero. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('readRows', () => {
  test('reads the same rows from JSON and from newline-delimited JSON, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(data, sliceLength, async (items, length) => {
        const rows = asJson(items.map((item) => flatten(item)))
        for (const space of [0, 2]) expect(await rowsOf(readRows('json', slicesOf(JSON.stringify(items, null, space), length)))).toEqual(rows)
        expect(await rowsOf(readRows('ndjson', slicesOf(items.map((item) => JSON.stringify(item)).join('\r\n'), length)))).toEqual(rows)
      }),
    )
  })

  test('reads back what was written as newline-delimited JSON', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (items) => {
        const rows = items.map((item) => flatten(item))
        expect(await rowsOf(readRows('ndjson', slicesOf(ndjsonLines(rows))))).toEqual(asJson(rows))
      }),
    )
  })

  test('reads back what was written as CSV, whatever its texts and however the bytes are cut', async () => {
    const columns = ['a', 'b c', 'd,"e"', 'ü']
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !/^[=+\-@\t\r]/.test(value))
    const table = fc.array(fc.record(Object.fromEntries(columns.map((name) => [name, cell])), { noNullPrototype: true }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(table, sliceLength, async (rows, length) => {
        const written = csvHeader(columns) + csvLines(columns, rows)
        expect(await rowsOf(readRows('csv', slicesOf(written, length)))).toEqual(rows)
      }),
    )
  })

  test('bounds a row that never ends, also one of nothing but commas or digits', async () => {
    async function* endless(piece: string): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.from(piece.repeat(100_000))
    }
    for (const [format, piece] of [['json', '1'], ['json', '[1,'], ['json', ' '], ['ndjson', ' '], ['ndjson', 'x'], ['csv', ','], ['csv', 'x'], ['csv', '"']] as const) {
      await expect(rowsOf(readRows(format, endless(piece)))).rejects.toMatchObject({ code: 'unreadable_file' })
    }
  })
})

describe('surveyRows', () => {
  const survey = (format: 'json' | 'ndjson' | 'csv', content: string) => surveyRows(format, () => slicesOf(content, 3))

  test('tells the columns in the order of their first appearance', async () => {
    expect((await survey('json', '[{"b":1},{"a":{"c":1},"b":2},{"d":[1]}]')).columns).toEqual(['b', 'a.c', 'd.0'])
    expect((await survey('csv', 'b,a\n1\n1,2,3\n')).columns).toEqual(['b', 'a', '_2'])
    expect((await survey('csv', 'b,a')).columns).toEqual(['b', 'a'])
    expect((await survey('csv', '')).columns).toEqual([])
  })

  test('tells the columns of CSV that hold nothing but plain numbers', async () => {
    const content = 'int,real,zip,exp,plus,mixed,blank,some,spaced,big\n1,1.50,01,1e5,+1,1,,1, 1,12345678901234567890\n-2,0.1,10000,1,1,x,,,1,1\n'
    expect([...(await survey('csv', content)).numbers]).toEqual(['int', 'real', 'some'])
  })

  test('tells the line and column of a fault in JSON that is far away', async () => {
    const content = `[\n${'{"a":"\\n"},\n'.repeat(10_000)}{"a":x}]`
    await expect(surveyRows('json', () => slicesOf(content, 65_536))).rejects.toMatchObject({ options: { extra: { line: 10_002, column: 6 } } })
  })
})
