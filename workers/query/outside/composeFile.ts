import { Problem } from '../../../src/platform/errors.ts'
import type { ColumnTypes } from '../../../src/query/formats/columnTypes.ts'
import { readCsvRecords } from '../../../src/query/formats/csvRecords.ts'
import { csvHeader } from '../../../src/query/formats/csvWriter.ts'
import { parquetBytes } from '../../../src/query/formats/parquetWriter.ts'
import { readRows } from '../../../src/query/formats/readRows.ts'
import { csvText, jsonText, textOfRows } from '../../../src/query/formats/rowText.ts'
import type { FileFormat } from '../../../src/query/outside.ts'
import type { Batch } from '../../../src/query/rows.ts'
import { inSlices, readContent, type Statements } from '../../../src/services/sirp/cellar/contents.ts'
import type { StoredFile } from './cellarFile.ts'

/** What a file is made of that cannot be written in one go. */
export interface Parts {
  readonly name: string
  readonly format: FileFormat
  /** The file that the rows go behind. */
  readonly old: StoredFile | undefined
  /** The rows as newline-delimited JSON. */
  readonly added: { readonly id: string; readonly bytes: number }
  readonly columns: ColumnTypes
}

/** The bytes of a file: what was there before, then the rows that were added. */
export function composedBytes(statements: Statements, parts: Parts): AsyncIterable<Uint8Array> {
  const { name, format, old, added, columns } = parts
  if (old && old.format !== format) throw otherFormat(name, old.format, format)
  const rows = (): AsyncIterable<Batch> => readRows('ndjson', inSlices(readContent(statements, added.id, added.bytes)))
  if (format === 'parquet') return parquetBytes(rows(), columns)
  if (format === 'csv') return csvBytes(statements, parts, rows())
  if (format === 'json') return textOfRows(chained(old ? [readRows('json', inSlices(oldBytes(statements, old))), rows()] : [rows()]), jsonText())
  return chained([old ? wholeLines(oldBytes(statements, old), '\n') : none(), readContent(statements, added.id, added.bytes)])
}

function otherFormat(name: string, there: string, format: FileFormat): Problem {
  const remedy = there === 'json' || there === 'ndjson' || there === 'csv' ? `append with --format ${there}, or choose another name` : 'choose another name'
  return new Problem('unprocessable', `The cellar file ${JSON.stringify(name)} is ${there}, so rows cannot be appended to it as ${format}; ${remedy}.`)
}

async function* csvBytes(statements: Statements, { name, old, columns }: Parts, rows: AsyncIterable<Batch>): AsyncGenerator<Uint8Array> {
  const { names } = columns
  const header = old && (await firstRecord(oldBytes(statements, old)))
  if (header && names.length > 0) await checkHeader(name, header, names)
  if (old) yield* wholeLines(oldBytes(statements, old), '\r\n')
  yield* textOfRows(rows, csvText(names, header === undefined))
}

async function checkHeader(name: string, header: readonly string[], columns: readonly string[]): Promise<void> {
  const wanted = (await firstRecord(once(Buffer.from(csvHeader(columns))))) ?? []
  if (header.length === wanted.length && header.every((column, at) => column.trim() === wanted[at]?.trim())) return
  throw new Problem(
    'unprocessable',
    `The rows do not have the columns of the cellar file ${JSON.stringify(name)}: it has ${listed(header)}, they have ${listed(wanted)}. ` +
      'Bring them into its order with table, or append to a file of the format ndjson.',
  )
}

const listed = (columns: readonly string[]): string => {
  const text = columns.join(', ')
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}

async function firstRecord(bytes: AsyncIterable<Buffer>): Promise<readonly string[] | undefined> {
  for await (const [first] of readCsvRecords(bytes)) return first
  return undefined
}

const oldBytes = (statements: Statements, { contentId, bytes }: StoredFile): AsyncGenerator<Buffer> => readContent(statements, contentId, bytes)

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** The same bytes, with the end of the last line where it is missing. */
async function* wholeLines(bytes: AsyncIterable<Buffer>, lineEnd: string): AsyncGenerator<Buffer> {
  let last: number | undefined
  for await (const chunk of bytes) {
    last = chunk.at(-1)
    yield chunk
  }
  if (last !== undefined && last !== lineFeed && last !== carriageReturn) yield Buffer.from(lineEnd)
}

async function* chained<Item>(lists: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  for (const list of lists) yield* list
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function* none(): AsyncGenerator<never> {}
