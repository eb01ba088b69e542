import { CsvError, Parser } from 'csv-parse'
import { Utf8Gate } from '../../platform/utf8.ts'
import { maxColumns } from '../rows.ts'
import { maxRowLength, notUtf8, rowTooLong, unreadable } from './unreadable.ts'

/** What stands between the fields of a record. */
export type Delimiter = ',' | '\t'

/** Records of CSV (RFC 4180), the header among them; lines may end in CRLF, LF or CR, and blank ones are passed over. */
export async function* readCsvRecords(bytes: AsyncIterable<Buffer>, delimiter: Delimiter = ','): AsyncGenerator<string[][]> {
  const gate = new Utf8Gate(notUtf8)
  const records = new Records(delimiter)
  for await (const piece of bytes) {
    const batch = await records.take(gate.take(piece))
    if (batch.length > 0) yield batch
  }
  gate.end()
  const last = await records.end()
  if (last.length > 0) yield last
}

/** Feeds the parser a piece at a time and collects its records, which costs no turn of the loop a record. */
class Records {
  readonly #parser: Parser
  #batch: string[][] = []
  #sinceRecord = 0

  constructor(delimiter: Delimiter) {
    this.#parser = new Parser({
      delimiter,
      relax_quotes: delimiter === '\t', // where tabs part the fields, most writers know no quotes
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRowLength,
      on_record: (record: string[]) => this.#collect(record),
    })
    this.#parser.on('error', () => undefined) // every write reports it as well
  }

  async take(bytes: Buffer): Promise<string[][]> {
    // The parser's own bound does not count empty fields.
    this.#sinceRecord += bytes.length
    if (this.#sinceRecord > maxRowLength + bytes.length) throw rowTooLong({ line: this.#parser.info.lines })
    await this.#settle((done) => this.#parser.write(bytes, done))
    return this.#drain()
  }

  async end(): Promise<string[][]> {
    await this.#settle((done) => this.#parser.end(done))
    return this.#drain()
  }

  /** Answers nothing, so that the parser keeps nothing. */
  #collect(record: string[]): null {
    if (record.length > maxColumns) throw unreadable(`the row has more than ${maxColumns.toLocaleString('en')} columns`, { line: this.#parser.info.lines })
    this.#sinceRecord = 0
    this.#batch.push(record)
    return null
  }

  #drain(): string[][] {
    const batch = this.#batch
    this.#batch = []
    return batch
  }

  #settle(run: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      run((error) => (error ? reject(error instanceof CsvError ? faultOf(error) : error) : resolve()))
    })
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quoted field goes on behind its closing quote; a quote inside must be doubled',
  INVALID_OPENING_QUOTE: 'a quote stands inside a field that does not begin with one; quote the whole field and double the quotes inside',
  CSV_QUOTE_NOT_CLOSED: 'a quoted field is not closed before the end of the file',
}

function faultOf(error: CsvError): Error {
  const line = Number(error['lines'] ?? 1)
  if (error.code === 'CSV_MAX_RECORD_SIZE') return rowTooLong({ line })
  return unreadable(reasons[error.code] ?? 'this is not valid CSV', { line })
}
