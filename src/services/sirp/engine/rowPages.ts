import type pg from 'pg'
import { Problem } from '../../../platform/errors.ts'
import type { Batch } from '../../../query/rows.ts'
import { batchRows, collectRows } from '../../../query/stream.ts'
import { chunkRows, mostRead } from './bounds.ts'
import { decodeSized } from './chunks.ts'

/** Rows that can be read from any place; what is read twice is the same both times. */
export interface RowSource {
  readonly total: number
  page(offset: number, limit: number): Promise<Batch>
  /** The same page in pieces that fit into memory however wide its rows are; a page of usual rows is one piece. */
  pieces(offset: number, limit: number): AsyncIterable<Batch>
  stream(from: number): AsyncIterable<Batch>
}

/** The next piece of a page; undefined behind the last. */
export async function nextPiece(pieces: AsyncIterator<Batch>): Promise<Batch | undefined> {
  const { done, value } = await pieces.next()
  return done ? undefined : value
}

/** Some rows of a set, and how many it has. */
export interface RowPage {
  readonly total: number
  readonly rows: Batch
}

/** One page of a set's rows; null where there is no such set. */
export async function readPage(pool: pg.Pool, setId: string, { offset, limit }: { offset: number; limit: number }): Promise<RowPage | null> {
  const source = await openSet(pool, setId)
  return source && { total: source.total, rows: await source.page(offset, limit) }
}

/** The rows of a set from one on, a few chunks at a time; the next ones are read while these are used. */
export async function* streamRows(pool: pg.Pool, setId: string, from = 0): AsyncGenerator<Batch> {
  const source = await openSet(pool, setId)
  if (!source) throw gone()
  yield* source.stream(from)
}

interface SetRow {
  readonly total: string
  readonly complete: boolean
}

/** A set as it is now; null where there is none. Rows that an unfinished one gets later are not seen. */
export async function openSet(pool: pg.Pool, setId: string): Promise<(RowSource & { readonly complete: boolean }) | null> {
  const { rows } = await pool.query<SetRow>({ name: 'row-set', text: 'SELECT rows AS total, complete FROM row_sets WHERE id = $1', values: [setId] })
  const [set] = rows
  if (!set) return null
  if (set.complete) return completeSet(pool, setId, Number(set.total))
  const places = await readPlaces(pool, setId)
  const last = places.at(-1)
  return new StoredRows(last ? last.start + last.count : 0, false, (from, to) => readListed(pool, setId, places, from, to))
}

/** A set that is known to be complete, with so many rows. */
export function completeSet(pool: pg.Pool, setId: string, total: number): RowSource & { readonly complete: boolean } {
  return new StoredRows(total, true, (from, to) => readPlaced(pool, setId, from, to))
}

interface Chunk {
  readonly start: number
  readonly data: Buffer
}

/** Reads the chunks that hold any of the rows from one to another. */
type ReadChunks = (from: number, to: number) => Promise<readonly Chunk[]>

/** Rows that are read at once on the way through a set. */
const strideRows = 2 * chunkRows

/** Chunks that are decoded side by side. */
const lanes = 16

class StoredRows implements RowSource {
  readonly total: number
  readonly complete: boolean
  readonly #read: ReadChunks

  constructor(total: number, complete: boolean, read: ReadChunks) {
    this.total = total
    this.complete = complete
    this.#read = read
  }

  page(offset: number, limit: number): Promise<Batch> {
    return collectRows(this.pieces(offset, limit))
  }

  async *pieces(offset: number, limit: number): AsyncGenerator<Batch> {
    const end = Math.min(this.total, offset + limit)
    for (let at = offset; at < end; ) {
      const rows = (await this.#rowsFrom(at, end)).slice(0, end - at)
      at += rows.length
      yield rows
    }
  }

  async *stream(from: number): AsyncGenerator<Batch> {
    if (from >= this.total) return
    for (let at = from, next: Promise<Batch> | undefined = this.#rowsFrom(at, at + strideRows); next; ) {
      const rows: Batch = await next
      at += rows.length
      next = at < this.total ? this.#rowsFrom(at, at + strideRows) : undefined
      next?.catch(() => undefined) // whoever comes to it hears of its failure
      for (let first = 0; first < rows.length; first += batchRows) yield rows.slice(first, first + batchRows)
    }
  }

  /** The rows from one on, to the end of the chunk that holds the last one asked for; wide ones only as far as fits at once. */
  async #rowsFrom(from: number, to: number): Promise<Batch> {
    const chunks = await this.#read(from, to)
    const [first] = chunks
    if (!first) throw gone()
    return (await decodeMost(chunks)).slice(from - first.start, this.total - first.start)
  }
}

/** The rows of the first chunks, of all of them unless they are wide. */
async function decodeMost(chunks: readonly Chunk[]): Promise<Batch> {
  const parts: Batch[] = []
  let chars = 0
  for (let at = 0; at < chunks.length && chars < mostRead; at += lanes) {
    for (const part of await Promise.all(chunks.slice(at, at + lanes).map(({ data }) => decodeSized(data)))) {
      parts.push(part.rows)
      chars += part.chars
    }
  }
  return parts.flat()
}

/** In a finished set each chunk knows its first row, so any place is found at once. */
async function readPlaced(pool: pg.Pool, setId: string, from: number, to: number): Promise<readonly Chunk[]> {
  const { rows } = await pool.query<{ start: string; data: Buffer }>({
    name: 'row-chunks-placed',
    text: `SELECT start, data FROM (
        SELECT row_start AS start, data, sum(octet_length(data)) OVER (ORDER BY row_start) - octet_length(data) AS before FROM row_chunks
        WHERE set_id = $1 AND row_start > $2::bigint - ${chunkRows} AND row_start < $3::bigint AND row_start + row_count > $2::bigint) AS chunk
      WHERE before < ${mostRead} ORDER BY start`,
    values: [setId, from, to],
  })
  return rows.map(({ start, data }) => ({ start: Number(start), data }))
}

interface Place {
  readonly sequence: string
  readonly start: number
  readonly count: number
  readonly bytes: number
}

/** Chunks that are written side by side do not know their first row yet, so those that are there are counted up. */
async function readPlaces(pool: pg.Pool, setId: string): Promise<readonly Place[]> {
  const { rows } = await pool.query<{ sequence: string; count: number; bytes: number }>({
    name: 'row-places',
    text: 'SELECT sequence, row_count AS count, octet_length(data) AS bytes FROM row_chunks WHERE set_id = $1 AND row_count > 0 ORDER BY sequence',
    values: [setId],
  })
  let start = 0
  return rows.map(({ sequence, count, bytes }) => {
    const place = { sequence, start, count, bytes }
    start += count
    return place
  })
}

async function readListed(pool: pg.Pool, setId: string, places: readonly Place[], from: number, to: number): Promise<readonly Chunk[]> {
  let before = 0
  const wanted = places.filter(({ start, count, bytes }) => {
    const isRead = start < to && start + count > from && before < mostRead
    if (isRead) before += bytes
    return isRead
  })
  const { rows } = await pool.query<{ data: Buffer }>({
    name: 'row-chunks-listed',
    text: 'SELECT data FROM row_chunks WHERE set_id = $1 AND sequence = ANY($2::bigint[]) ORDER BY sequence',
    values: [setId, wanted.map(({ sequence }) => sequence)],
  })
  if (rows.length < wanted.length) throw gone()
  return wanted.map(({ start }, index) => ({ start, data: rows[index]?.data ?? Buffer.alloc(0) }))
}

const gone = (): Problem => new Problem('not_found', 'The rows were deleted while they were read.')
