import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { Problem } from '../../../platform/errors.ts'
import type { Connection } from '../../../platform/prisma/database.ts'

/** What runs statements: the pool, or a connection inside a transaction. */
export interface Statements {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>>
}

/** Bytes of every chunk of a content but its last one. */
export const chunkBytes = 2 ** 20

/** A content that no file holds is removed when it is so old: an upload that long has died. */
export const abandonedAfterMs = 24 * 3_600_000

/** How long the content of a file that was replaced or deleted stays, for whoever is in the midst of reading it. */
export const readersGraceMs = 10 * 60_000

const chunksAtOnce = 64

/**
 * Reads a content chunk by chunk, the next one while the last is used.
 * It holds no transaction, since a slow client would then hold a connection for as long as it likes; instead a content
 * that a file no longer holds outlives its readers, and one that is gone after all ends the reading with an error.
 */
export async function* readContent(pool: Statements, contentId: string, bytes: number): AsyncGenerator<Buffer> {
  const chunks = Math.ceil(bytes / chunkBytes)
  let next = chunks === 0 ? undefined : readChunk(pool, contentId, 0)
  for (let sequence = 0; sequence < chunks; sequence += 1) {
    const chunk = await next
    if (!chunk) throw new Problem('conflict', 'The file was replaced or deleted while it was read; ask for it again.')
    next = sequence + 1 < chunks ? readChunk(pool, contentId, sequence + 1) : undefined
    next?.catch(() => undefined) // told when it is awaited, unless the reader has left by then
    yield chunk
  }
}

async function readChunk(pool: Statements, contentId: string, sequence: number): Promise<Buffer | undefined> {
  const text = 'SELECT bytes FROM cellar_chunks WHERE content_id = $1 AND sequence = $2'
  const { rows } = await pool.query<{ bytes: Buffer }>({ name: 'cellar-chunk-read', text, values: [contentId, sequence] })
  return rows[0]?.bytes
}

/** The first bytes of a content, at most those of its first chunk. */
export async function readHead(pool: pg.Pool, contentId: string, maxBytes: number): Promise<Buffer> {
  const text = 'SELECT substring(bytes FROM 1 FOR $2) AS bytes FROM cellar_chunks WHERE content_id = $1 AND sequence = 0'
  const { rows } = await pool.query<{ bytes: Buffer }>({ name: 'cellar-head-read', text, values: [contentId, maxBytes] })
  return rows[0]?.bytes ?? Buffer.alloc(0)
}

const sliceBytes = 2 ** 17

/** The same bytes in slices, with a turn of the loop behind each, for whoever works on them: other requests are served in between. */
export async function* inSlices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      yield chunk.subarray(at, at + sliceBytes)
      await nextTurn()
    }
  }
}

/** Gives up a content that a file held: it is made so old that it is removed when its readers have had their time. */
export async function releaseContent(tx: Connection, contentId: string): Promise<void> {
  const ageMs = abandonedAfterMs - readersGraceMs
  await tx.$executeRaw`UPDATE cellar_contents SET created_at = now() - ${ageMs} * interval '1 millisecond' WHERE id = ${contentId}::uuid`
}

/** Removes a content that no file holds, some chunks a statement, because one for all would take too long. */
export async function discardContent(pool: Statements, contentId: string): Promise<void> {
  // In order, so that two who discard the same content wait for each other and do not lock each other out.
  const some = 'SELECT sequence FROM cellar_chunks WHERE content_id = $1 ORDER BY sequence LIMIT $2 FOR UPDATE'
  for (;;) {
    const text = `DELETE FROM cellar_chunks WHERE content_id = $1 AND sequence IN (${some})`
    const { rowCount } = await pool.query({ name: 'cellar-chunks-delete', text, values: [contentId, chunksAtOnce] })
    if ((rowCount ?? 0) < chunksAtOnce) break
  }
  await pool.query({ name: 'cellar-content-delete', text: 'DELETE FROM cellar_contents WHERE id = $1', values: [contentId] })
}
