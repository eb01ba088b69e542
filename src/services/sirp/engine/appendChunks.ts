import type pg from 'pg'
import type { Row } from '../../../query/rows.ts'
import { chunksPerRow } from './bounds.ts'
import { decodeRows, encodeRows } from './chunks.ts'

/** Puts the rows of one set behind those of another, chunk by chunk; a shape makes each of them anew. */
export async function appendChunks(client: pg.PoolClient, setId: string, from: string, shape: ((row: Row) => Row) | null): Promise<void> {
  const { rows: ends } = await client.query<{ base: string }>({ name: 'append-base', text: baseSql, values: [setId, chunksPerRow] })
  const base = ends[0]?.base ?? '0'
  if (!shape) {
    await client.query({ name: 'append-copy', text: copySql, values: [setId, from, base] })
    return
  }
  const { rows: chunks } = await client.query<{ sequence: string }>({ name: 'append-list', text: 'SELECT sequence FROM row_chunks WHERE set_id = $1 ORDER BY sequence', values: [from] })
  for (const { sequence } of chunks) {
    const { rows } = await client.query<{ data: Buffer }>({ name: 'append-read', text: 'SELECT data FROM row_chunks WHERE set_id = $1 AND sequence = $2', values: [from, sequence] })
    const [chunk] = rows
    if (!chunk) continue
    const shaped = (await decodeRows(chunk.data)).map(shape)
    await client.query({ name: 'append-write', text: writeSql, values: [setId, base, sequence, shaped.length, await encodeRows(shaped)] })
  }
}

/** The first number behind all chunks that the set has. */
const baseSql = 'SELECT coalesce(max(sequence), 0) / $2::bigint * $2::bigint + $2::bigint AS base FROM row_chunks WHERE set_id = $1'

const copySql = `
  INSERT INTO row_chunks (set_id, sequence, row_count, data)
  SELECT $1, $3::bigint + more.sequence, more.row_count, more.data FROM row_chunks AS more WHERE more.set_id = $2`

const writeSql = 'INSERT INTO row_chunks (set_id, sequence, row_count, data) VALUES ($1, $2::bigint + $3::bigint, $4, $5)'
