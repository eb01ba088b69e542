import { describe, expect, test } from 'vitest'
import { chunkRows } from '../../../src/services/sirp/engine/bounds.ts'
import { ChunkBuilder } from '../../../workers/query/chunkBuilder.ts'

const sizesOf = async (rows: Parameters<ChunkBuilder['add']>[0]): Promise<number[]> => {
  const builder = new ChunkBuilder('set')
  return [...(await builder.add(rows)), ...(await builder.end())].map(({ rowCount }) => rowCount)
}

describe('the chunks of a pass', () => {
  test('hold so many rows at most, and are placed one behind the other', async () => {
    const builder = new ChunkBuilder('set')
    const rows = Array.from({ length: 2 * chunkRows + 5 }, (_, n) => ({ n }))
    const chunks = [...(await builder.add(rows.slice(0, 700))), ...(await builder.add(rows.slice(700))), ...(await builder.end())]
    expect(chunks.map(({ sequence, rowStart, rowCount }) => [sequence, rowStart, rowCount])).toEqual([[0, 0, chunkRows], [1, chunkRows, chunkRows], [2, 2 * chunkRows, 5]])
  })

  test('hold few wide rows, also where the first ones are narrow', async () => {
    const wide = 'x'.repeat(300_000)
    expect(await sizesOf([...Array.from({ length: 10 }, () => ({ a: 1 })), ...Array.from({ length: 9 }, () => ({ a: wide }))])).toEqual([14, 4, 1])
    expect(await sizesOf([{ a: 'x'.repeat(3_000_000) }, { a: 1 }])).toEqual([1, 1])
  })
})
