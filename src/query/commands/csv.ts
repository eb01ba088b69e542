import { anyNumber } from '../bounds.ts'
import { defineCommand, type StageContext } from '../command.ts'
import { readCsv, surveyCsv } from '../formats/csv.ts'
import { boolean, oneColumn, otherwise } from '../params.ts'
import { reasonOf, rowsOfParsed, textAt } from '../parsedColumn.ts'
import type { Row } from '../rows.ts'
import { batchRows, collectRows, inBatches } from '../stream.ts'
import { warnOfSome } from '../warnings.ts'

export const csv = defineCommand({
  name: 'csv',
  kind: 'map',
  summary: 'Parses CSV in a column, whose first line names the columns: column.0.name and so on in place of it',
  args: { column: oneColumn('The column that holds CSV') },
  flags: { rows: otherwise(boolean('A row a line: column.name'), false) },
  examples: ["addcolumn data 'a,b\n1,2\n3,4' || csv data", "addcolumn data 'a,b\n1,2\n3,4' || csv data --rows"],
  rows: (input, { flags }) => (flags.rows ? anyNumber : input),

  async *run(batches, { args, flags, context }) {
    const warn = warnOfSome(context)
    for await (const batch of batches) {
      let made: Row[] = []
      for (const row of batch) {
        for (const item of await parseCell(row, args.column, flags.rows, warn)) made.push(item)
        if (made.length < batchRows) continue
        yield* inBatches(made)
        made = []
      }
      yield* inBatches(made)
    }
  },
})

async function parseCell(row: Row, name: string, asRows: boolean, warn: StageContext['warn']): Promise<Row[]> {
  const text = textAt(row, name)
  if (text === null) return [row]
  try {
    return rowsOfParsed(row, name, await readCell(text), asRows)
  } catch (error) {
    warn(reasonOf(name, error))
    return [row]
  }
}

async function readCell(text: string): Promise<Row[]> {
  const bytes = [Buffer.from(text)]
  const { numbers } = await surveyCsv(pieces(bytes))
  return collectRows(readCsv(pieces(bytes), numbers))
}

async function* pieces(list: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* list
}
