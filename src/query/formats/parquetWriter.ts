import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { cellAt } from '../columns.ts'
import type { Batch, Cell } from '../rows.ts'
import { bytesOfRow } from '../spill/heldBytes.ts'
import type { ColumnType, ColumnTypes } from './columnTypes.ts'

/** A row group is held in memory until it is full. */
const groupRows = 50_000
const groupBytes = 16 * 2 ** 20

/** The bytes of a Parquet file of these rows, a row group at a time; the columns must have been learnt from the same rows. */
export async function* parquetBytes(batches: AsyncIterable<Batch>, columns: ColumnTypes): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter()
  const names = columns.names
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) })
  let group: Batch = []
  let held = 0
  const writeGroup = async (): Promise<void> => {
    await writer.write({ columnData: names.map((name) => ({ name, data: cellsOf(group, name, columns.typeOf(name)) })), rowGroupSize: groupRows })
    group = []
    held = 0
  }
  for await (const batch of batches) {
    for (const row of batch) {
      group.push(row)
      held += bytesOfRow(row)
      if (group.length < groupRows && held < groupBytes) continue
      await writeGroup()
      yield taken(bytes)
    }
  }
  if (group.length > 0) await writeGroup()
  await writer.finish()
  yield taken(bytes)
}

const elements: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
}

function schemaOf(columns: ColumnTypes): SchemaElement[] {
  const { names } = columns
  return [{ name: 'root', num_children: names.length }, ...names.map((name): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...elements[columns.typeOf(name)] }))]
}

function cellsOf(group: Batch, name: string, type: ColumnType): Cell[] {
  const cells = group.map((row) => cellAt(row, name))
  return type === 'string' ? cells.map((cell) => (cell === null ? null : String(cell))) : cells
}

/** What was written since the last time, which makes room for more. */
function taken(bytes: ByteWriter): Uint8Array {
  const made = bytes.getBytes().slice()
  bytes.index = 0
  return made
}
