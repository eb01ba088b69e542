import type pg from 'pg'
import type { AsyncBuffer } from 'hyparquet'
import { Problem } from '../../../src/platform/errors.ts'
import { parquetMagic, readParquet } from '../../../src/query/formats/parquet.ts'
import { readRows, surveyRows } from '../../../src/query/formats/readRows.ts'
import { unreadable } from '../../../src/query/formats/unreadable.ts'
import type { Batch } from '../../../src/query/rows.ts'
import { chunkBytes, inSlices, readContent, readHead } from '../../../src/services/sirp/cellar/contents.ts'
import { isRowFormat } from '../../../src/services/sirp/cellar/preview.ts'
import type { StoredFile } from './cellarFile.ts'

/** The rows of a file, as its chunks come. */
export async function* rowsOfFile(pool: pg.Pool, name: string, file: StoredFile): AsyncGenerator<Batch> {
  try {
    yield* contentRows(pool, file)
  } catch (error) {
    throw naming(name, error)
  }
}

/** Says of which file a fault is. */
export function naming(name: string, error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'unreadable_file') return error
  return new Problem(error.code, `Cellar file ${JSON.stringify(name)}: ${error.message}`, error.options)
}

async function* contentRows(pool: pg.Pool, { contentId, format, bytes }: StoredFile): AsyncGenerator<Batch> {
  if (isRowFormat(format)) {
    const open = (): AsyncIterable<Buffer> => inSlices(readContent(pool, contentId, bytes))
    yield* readRows(format, open(), format === 'csv' ? (await surveyRows(format, open)).numbers : undefined)
    return
  }
  const head = await readHead(pool, contentId, parquetMagic.length)
  if (head.toString('latin1') !== parquetMagic) throw unreadable(`the file is ${format}, and rows can be made of json, ndjson, csv and parquet only`)
  const content = new ContentBytes(pool, contentId, bytes)
  try {
    yield* readParquet(content)
  } catch (error) {
    throw content.failure ?? error // that the database is away is no fault of the file
  }
}

/** A content from which any part can be read. */
class ContentBytes implements AsyncBuffer {
  readonly #pool: pg.Pool
  readonly #contentId: string
  readonly byteLength: number
  failure: unknown

  constructor(pool: pg.Pool, contentId: string, byteLength: number) {
    this.#pool = pool
    this.#contentId = contentId
    this.byteLength = byteLength
  }

  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    if (!(start >= 0 && start < end && end <= this.byteLength)) throw new RangeError('a part of it lies beyond its end')
    try {
      return await this.#read(start, end)
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  async #read(start: number, end: number): Promise<ArrayBuffer> {
    const first = Math.floor(start / chunkBytes)
    const offset = start - first * chunkBytes
    const text = 'SELECT bytes FROM cellar_chunks WHERE content_id = $1 AND sequence BETWEEN $2 AND $3 ORDER BY sequence'
    const values = [this.#contentId, first, Math.floor((end - 1) / chunkBytes)]
    const { rows } = await this.#pool.query<{ bytes: Buffer }>({ name: 'cellar-chunks-read', text, values })
    if (rows.length === 0) throw new Problem('conflict', 'The file was replaced or deleted while it was read; run the query again.')
    const part = Buffer.concat(rows.map(({ bytes }) => bytes)).subarray(offset, offset + end - start)
    return new Uint8Array(part).buffer
  }
}
