import pg from 'pg'

/** A prepared read of one row by one column. */
export interface OneRow {
  readonly by: (column: string) => { readonly name: string; readonly text: string }
}

const snake = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Reads of one record are most of the traffic, and Prisma spends more on them than the database does. This is the same select as a
 * prepared statement, with the fields that Prisma's own list of the model names; the columns are their names in snake case.
 */
export function oneRow(table: string, fields: Readonly<Record<string, string>>): OneRow {
  const columns = Object.keys(fields).map((field) => `${snake(field)} AS "${field}"`).join(', ')
  return { by: (column) => ({ name: `one-${table}-${column}`, text: `SELECT ${columns} FROM ${table} WHERE ${snake(column)} = $1` }) }
}

const int8: number = pg.types.builtins.INT8

/** Values as Prisma gives them; only 64-bit numbers differ from the driver's own. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => (oid === int8 ? BigInt : pg.types.getTypeParser(oid, format))) as pg.CustomTypesConfig['getTypeParser'],
}

/** The row whose column has this value, or null. */
export async function readOne<Row extends pg.QueryResultRow>(pool: pg.Pool, row: OneRow, column: string, value: string): Promise<Row | null> {
  const { rows } = await pool.query<Row>({ ...row.by(column), values: [value], types })
  return rows[0] ?? null
}
