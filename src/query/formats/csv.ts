import { setCell, type Batch, type Cell, type Row } from '../rows.ts'
import { readCsvRecords, type Delimiter } from './csvRecords.ts'
import { isPlainNumber } from './plainNumber.ts'

/** Rows of CSV whose first record names the columns; those in `numbers` become numbers, and empty cells in them null. */
export async function* readCsv(bytes: AsyncIterable<Buffer>, numbers: ReadonlySet<string> = new Set(), delimiter?: Delimiter): AsyncGenerator<Batch> {
  let header: CsvHeader | undefined
  for await (const records of readCsvRecords(bytes, delimiter)) {
    const begun = header !== undefined
    header ??= new CsvHeader(records[0] ?? [])
    const columns = header
    const rows = (begun ? records : records.slice(1)).map((record) => rowOf(record, columns, numbers))
    if (rows.length > 0) yield rows
  }
}

/** The columns of a CSV text, in their order, and which of them hold nothing but plain numbers. */
export async function surveyCsv(bytes: AsyncIterable<Buffer>, delimiter?: Delimiter): Promise<{ columns: string[]; numbers: Set<string> }> {
  let header: CsvHeader | undefined
  const texts = new Set<number>()
  const filled = new Set<number>()
  for await (const records of readCsvRecords(bytes, delimiter)) {
    const first = header === undefined ? 1 : 0
    header ??= new CsvHeader(records[0] ?? [])
    for (let at = first; at < records.length; at += 1) {
      const record = records[at] ?? []
      header.widen(record.length)
      for (let index = 0; index < record.length; index += 1) {
        const cell = record[index] ?? ''
        if (cell === '' || texts.has(index)) continue
        if (isPlainNumber(cell)) filled.add(index)
        else texts.add(index)
      }
    }
  }
  const columns = header?.names ?? []
  return { columns: [...columns], numbers: new Set(columns.filter((_, index) => filled.has(index) && !texts.has(index))) }
}

/** The names of the columns: a blank one is `_` and its 0-based number, and so is one beyond the header; a repeated one gets a number behind it. */
class CsvHeader {
  readonly names: string[] = []
  readonly #taken = new Set<string>()

  constructor(record: readonly string[]) {
    const given = record.map((name) => name.trim())
    const asGiven = new Set(given)
    for (const name of given) this.#add(name, asGiven)
  }

  /** Names columns for a record that is longer than all before it. */
  widen(length: number): void {
    while (this.names.length < length) this.#add('', this.#taken)
  }

  #add(given: string, reserved: ReadonlySet<string>): void {
    const base = given === '' ? `_${this.names.length}` : given
    let name = base
    const isFree = (): boolean => !this.#taken.has(name) && (name === given || !reserved.has(name))
    for (let number = 1; !isFree(); number += 1) name = `${base}.${number}`
    this.#taken.add(name)
    this.names.push(name)
  }
}

/** A record that is too short leaves its last columns out. */
function rowOf(record: readonly string[], header: CsvHeader, numbers: ReadonlySet<string>): Row {
  header.widen(record.length)
  const row: Row = {}
  for (let index = 0; index < record.length; index += 1) {
    const name = header.names[index] ?? ''
    setCell(row, name, cellOf(record[index] ?? '', numbers.has(name)))
  }
  return row
}

function cellOf(text: string, isNumber: boolean): Cell {
  if (!isNumber) return text
  return text === '' ? null : Number(text)
}
