import { describe, expect, test } from 'vitest'
import { chunkRows, chunksPerRow } from '../../../src/services/sirp/engine/bounds.ts'
import { decodeRows } from '../../../src/services/sirp/engine/chunks.ts'
import { chunksOf } from '../../../workers/query/unitChunks.ts'

const placesOf = async (made: Parameters<typeof chunksOf>[1]) =>
  Promise.all((await chunksOf('set', made)).map(async ({ sequence, data }) => [sequence, await decodeRows(data)]))

describe('the chunks of a unit', () => {
  test('hold the rows of neighbouring input rows, also where one of them made none', async () => {
    expect(await placesOf([{ index: 4, rows: [{ a: 1 }] }, { index: 5, rows: [] }, { index: 6, rows: [{ a: 2 }, { a: 3 }] }])).toEqual([[4 * chunksPerRow, [{ a: 1 }, { a: 2 }, { a: 3 }]]])
  })

  test('leave a place for every input row that is still to run', async () => {
    expect(await placesOf([{ index: 0, rows: [{ a: 0 }] }, { index: 2, rows: [{ a: 2 }] }, { index: 3, rows: [{ a: 3 }] }])).toEqual([
      [0, [{ a: 0 }]],
      [2 * chunksPerRow, [{ a: 2 }, { a: 3 }]],
    ])
  })

  test('go on behind each other where one input row makes many', async () => {
    const many = Array.from({ length: chunkRows + 1 }, (_, n) => ({ n }))
    const chunks = await chunksOf('set', [{ index: 1, rows: [{ n: -1 }] }, { index: 2, rows: many }, { index: 3, rows: [{ n: 9 }] }])
    expect(chunks.map(({ sequence, rowCount }) => [sequence, rowCount])).toEqual([[chunksPerRow, chunkRows], [2 * chunksPerRow + 1, 3]])
  })
})
