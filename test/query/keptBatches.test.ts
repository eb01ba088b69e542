import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { KeptBatches } from '../../src/query/keptBatches.ts'
import type { Batch } from '../../src/query/rows.ts'
import { collectRows, firstRows } from '../../src/query/stream.ts'
import { openScratch } from '../../workers/query/scratch.ts'

/** A source of one-row batches that tells what happens to it. */
function watched(count: number): { source: AsyncGenerator<Batch>; seen: string[] } {
  const seen: string[] = []
  async function* make(): AsyncGenerator<Batch> {
    try {
      for (let n = 0; n < count; n += 1) {
        seen.push(`made ${n}`)
        yield [{ n }]
      }
    } finally {
      seen.push('closed')
    }
  }
  return { source: make(), seen }
}

describe('kept batches', () => {
  test('are made once however many read them, also at the same time', async () => {
    const { source, seen } = watched(3)
    const kept = new KeptBatches(source, openScratch(resolve('.data'), 2 ** 26))
    const all = [{ n: 0 }, { n: 1 }, { n: 2 }]
    expect(await Promise.all([collectRows(kept.read()), collectRows(kept.read())])).toEqual([all, all])
    expect(await collectRows(kept.read())).toEqual(all)
    expect(seen).toEqual(['made 0', 'made 1', 'made 2', 'closed'])
  })

  test('are made only when they are asked for, and a reader that stops leaves the rest to others', async () => {
    const { source, seen } = watched(3)
    const kept = new KeptBatches(source, openScratch(resolve('.data'), 2 ** 26))
    expect(await collectRows(firstRows(kept.read(), 1))).toEqual([{ n: 0 }])
    expect(seen).toEqual(['made 0'])
    expect(await collectRows(kept.read())).toHaveLength(3)
  })

  test('close their source when they are closed', async () => {
    const { source, seen } = watched(3)
    const kept = new KeptBatches(source, openScratch(resolve('.data'), 2 ** 26))
    await collectRows(firstRows(kept.read(), 1))
    await kept.close()
    expect(seen).toEqual(['made 0', 'closed'])
  })
})
