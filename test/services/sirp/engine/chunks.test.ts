import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeRows, encodeRows } from '../../../../src/services/sirp/engine/chunks.ts'

const many = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'the same words again and again' }))

test.each([
  ['no rows', []],
  ['few rows', [{ name: 'Ärger — 語', n: 1, none: null, yes: true }]],
  ['many rows', many],
])('%s are read as they were written', async (_what, rows) => {
  expect(await decodeRows(await encodeRows(rows))).toEqual(rows)
})

test('many rows are compressed', async () => {
  expect((await encodeRows(many)).length).toBeLessThan(JSON.stringify(many).length / 5)
})

test('rows that an earlier version compressed, however few, are read', async () => {
  expect(await decodeRows(deflateRawSync(JSON.stringify([{ a: 1 }])))).toEqual([{ a: 1 }])
})
