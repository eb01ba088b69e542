import { describe, expect, it } from 'vitest'
import { encodeRows } from '../../../../src/services/sirp/engine/chunks.ts'
import { hearEnd, tellEnd } from '../../../../src/services/sirp/engine/endNews.ts'
import type { Chunk } from '../../../../src/services/sirp/engine/passes.ts'
import type { Batch } from '../../../../src/query/rows.ts'

const chunkOf = async (setId: string, rows: Batch): Promise<Chunk> => ({ setId, sequence: 0, rowStart: 0, rowCount: rows.length, data: await encodeRows(rows) })

describe('the news of an end', () => {
  it('holds the rows of the last stage, whatever is in them', async () => {
    const rows = [{ text: 'a b\n"ü" 😀' }, { text: null }]
    const last = await chunkOf('last', rows)
    const news = tellEnd({ rows: 2, resultSet: 'last', chunks: [await chunkOf('before', [{ n: 1 }]), last] })
    expect(hearEnd('some', news ?? '')).toEqual({ id: 'some', status: 'completed', rows: 2, resultSet: 'last', error: null, first: last.data })
  })

  it('tells that there are no rows', () => {
    expect(hearEnd('some', tellEnd({ rows: 0, resultSet: 'last', chunks: [] }) ?? '')).toMatchObject({ rows: 0, first: null })
  })

  it('is left out where the rows are many, or lie elsewhere', async () => {
    const many = await chunkOf('last', [{ text: 'x'.repeat(5_000) }])
    const incompressible = await chunkOf('last', Array.from({ length: 300 }, () => ({ id: crypto.randomUUID() })))
    expect(tellEnd({ rows: 1, resultSet: 'last', chunks: [many] })).toBeUndefined()
    expect(tellEnd({ rows: 300, resultSet: 'last', chunks: [incompressible] })).toBeUndefined()
    expect(tellEnd({ rows: 2, resultSet: 'last', chunks: [await chunkOf('last', [{ n: 1 }])] })).toBeUndefined()
    expect(tellEnd({ rows: 2, resultSet: 'kept', chunks: [] })).toBeUndefined()
  })
})
