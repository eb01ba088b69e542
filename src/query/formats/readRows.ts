import { Problem } from '../../platform/errors.ts'
import { maxColumns, maxNameChars, type Batch } from '../rows.ts'
import { readCsv, surveyCsv } from './csv.ts'
import { findJsonFault, readJson } from './json.ts'
import { readNdjson } from './ndjson.ts'
import { unreadable } from './unreadable.ts'

/** A format that rows can be made of. */
export type RowFormat = 'json' | 'ndjson' | 'csv'

/** What one pass over all rows tells: the columns in the order of their first appearance, and which columns of CSV are numbers. */
export interface Survey {
  readonly columns: readonly string[]
  readonly numbers: ReadonlySet<string>
}

/** Opens the same bytes again for each pass. */
export type OpenBytes = () => AsyncIterable<Buffer>

/** Rows in batches, as the bytes come; `numbers` names the columns of CSV that are numbers, which only a survey can tell. */
export function readRows(format: RowFormat, bytes: AsyncIterable<Buffer>, numbers?: ReadonlySet<string>): AsyncGenerator<Batch> {
  if (format === 'csv') return readCsv(bytes, numbers)
  return format === 'json' ? readJson(bytes) : readNdjson(bytes)
}

/** Reads everything once; throws `unreadable_file` with the place of the first fault. Columns are bounded, so whoever needs none says so. */
export async function surveyRows(format: RowFormat, open: OpenBytes, needsColumns = true): Promise<Survey> {
  if (format === 'csv') return surveyCsv(open())
  const columns = new Columns()
  try {
    for await (const batch of readRows(format, open())) if (needsColumns) for (const row of batch) columns.add(row)
  } catch (error) {
    throw format === 'json' ? await placed(error, open) : error
  }
  return { columns: columns.names, numbers: new Set() }
}

/** The parser of JSON tells only the row of a fault, so the text is read once more for its line. */
async function placed(error: unknown, open: OpenBytes): Promise<unknown> {
  const isBroken = error instanceof Problem && error.code === 'unreadable_file' && error.message.includes('not valid JSON')
  return isBroken ? unreadable('this is not valid JSON', await findJsonFault(open())) : error
}

/** The columns of all rows together, within their bounds. */
class Columns {
  readonly #names = new Set<string>()
  #chars = 0

  get names(): string[] {
    return [...this.#names]
  }

  add(row: object): void {
    for (const name of Object.keys(row)) if (!this.#names.has(name)) this.#addName(name)
  }

  #addName(name: string): void {
    this.#names.add(name)
    this.#chars += name.length
    if (this.#names.size > maxColumns) throw unreadable(`the rows have more than ${maxColumns.toLocaleString('en')} columns in all`)
    if (this.#chars > maxNameChars) throw unreadable(`the column names have more than ${maxNameChars.toLocaleString('en')} characters in all`)
  }
}
