import { isUtf8 } from 'node:buffer'
import { parquetMetadataAsync, parquetReadObjects, parquetSchema, type AsyncBuffer, type FileMetaData, type ParquetParsers } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Problem } from '../../platform/errors.ts'
import { flatten, UnfitRow, type Batch, type Row } from '../rows.ts'
import { inBatches } from '../stream.ts'
import { unreadable } from './unreadable.ts'

/** Bounds of one row group of a file from elsewhere: a group is unpacked as a whole. */
export const foreignGroup = { cells: 20_000_000, bytes: 512 * 2 ** 20 } as const

/** What a Parquet file begins and ends with. */
export const parquetMagic = 'PAR1'

/** Rows of a Parquet file, a row group at a time; `most` bounds each group of a file that was not written here. */
export async function* readParquet(file: AsyncBuffer, most?: typeof foreignGroup): AsyncGenerator<Batch> {
  const metadata = await explained(() => parquetMetadataAsync(file, { parsers }))
  const scales = scalesOf(metadata)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (most) checkSize(rows * group.columns.length, Number(group.total_byte_size), most, rowStart + 1)
    const items = await explained(() => parquetReadObjects({ file, metadata, compressors, parsers, utf8: false, rowStart, rowEnd: rowStart + rows }))
    yield* inBatches(rowsOf(items, scales, rowStart))
    rowStart += rows
  }
}

/** A file that is in memory as a whole. */
export function parquetFile({ buffer, byteOffset, byteLength }: Buffer): AsyncBuffer {
  const slice = (start: number, end = byteLength): ArrayBuffer => (buffer as ArrayBuffer).slice(byteOffset + start, byteOffset + end) // no Buffer here is shared
  return { byteLength, slice }
}

function checkSize(cells: number, bytes: number, most: typeof foreignGroup, row: number): void {
  if (!(cells <= most.cells)) throw unreadable(`a row group has more than ${most.cells.toLocaleString('en')} cells`, { row })
  if (!(bytes <= most.bytes)) throw unreadable(`a row group has more than ${most.bytes.toLocaleString('en')} bytes`, { row })
}

/** The reader throws plain errors on whatever is broken. */
async function explained<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(`this is not a Parquet file that can be read: ${(error as Error).message}`)
  }
}

/** Decimals come as products of doubles, and are rounded to the places that their column has. */
function scalesOf(metadata: FileMetaData): Map<string, number> {
  const decimals = parquetSchema(metadata).children.filter(({ element }) => element.converted_type === 'DECIMAL')
  return new Map(decimals.map(({ element }) => [element.name, element.scale ?? 0]))
}

function* rowsOf(items: Iterable<Readonly<Record<string, unknown>>>, scales: ReadonlyMap<string, number>, before: number): Generator<Row> {
  let row = before
  for (const item of items) {
    row += 1
    try {
      yield flatten(Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value, scales.get(name))])))
    } catch (error) {
      throw error instanceof UnfitRow ? unreadable(`the row ${error.message}`, { row }) : error
    }
  }
}

/** A value as JSON could hold it: big integers that a number cannot hold are text, bytes that are no text base64, what is not finite null. */
function plain(value: unknown, scale?: number): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? rounded(value, scale) : null
  if (typeof value !== 'object' || value === null) return value ?? null
  if (value instanceof Uint8Array) return isUtf8(value) ? Buffer.from(value).toString() : Buffer.from(value).toString('base64')
  if (value instanceof Date) return isoOf(value)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as Iterable<unknown>, (item) => plain(item)) // views of numbers are iterable
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
}

const rounded = (value: number, scale: number | undefined): number => (scale === undefined || scale > 20 ? value : Number(value.toFixed(scale)))

const isoOf = (date: Date): string | null => (Number.isNaN(date.getTime()) ? null : date.toISOString())

const parsers: Partial<ParquetParsers> = {
  dateFromDays: (days) => isoOf(new Date(days * 86_400_000))?.slice(0, 10) ?? null,
  jsonFromBytes: (bytes) => parsed(Buffer.from(bytes).toString()),
}

/** JSON that is broken stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
