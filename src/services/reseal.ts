import { UnsealError, type Place, type SecretBox } from '../platform/secretBox.ts'
import type { House } from './house.ts'

interface Sealed {
  readonly address: readonly string[]
  readonly sealed: string
}

interface Rewrapped {
  readonly old: string
  /** Null where no known key opens the old one. */
  readonly new: string | null
}

interface SealedTable {
  readonly table: string
  /** Columns that address a row. */
  readonly key: readonly string[]
}

/** Every table with a sealed column; a value's place is its table, its key joined by spaces, and the column. */
export const sealedTables: readonly SealedTable[] = [
  { table: 'vault', key: ['name'] },
  { table: 'secrets', key: ['id'] },
  { table: 'credentials', key: ['id'] },
  { table: 'stores', key: ['id'] },
  { table: 'idempotent_requests', key: ['api_key_id', 'key'] },
  { table: 'browser_jobs', key: ['id'] },
  { table: 'flights', key: ['id'] },
]

const batch = 500

/** Wraps every value that an earlier master key sealed with the current one, while everything goes on running; answers how many. */
export async function resealAll(house: House): Promise<number> {
  let count = 0
  for (const table of sealedTables) count += await resealTable(house, table)
  return count
}

/** Walks a table in the order of its key, so that a value that no key opens holds up none of the others. */
async function resealTable(house: House, sealedTable: SealedTable): Promise<number> {
  let count = 0
  let unreadable = 0
  let last: readonly string[] | undefined
  for (;;) {
    const rows = await readStale(house, sealedTable, last)
    last = rows.at(-1)?.address
    if (last === undefined) break
    const fresh = rows.map((row) => ({ old: row.sealed, new: rewrap(house.box, placeOf(sealedTable.table, row.address), row.sealed) }))
    unreadable += fresh.filter((value) => value.new === null).length
    count += await replace(house, sealedTable, fresh)
  }
  if (unreadable > 0) house.log.warn({ table: sealedTable.table, count: unreadable }, unreadableWords)
  return count
}

const unreadableWords = 'no known master key opens some sealed values; list the one that they were sealed with in MASTER_KEY_PREVIOUS'

/** The next values in the order of the key that another master key than the current one sealed. */
async function readStale({ pool, box }: House, { table, key }: SealedTable, after: readonly string[] | undefined): Promise<Sealed[]> {
  const columns = key.join(', ')
  const further = after ? `AND (${columns}) > (${after.map((_, index) => `$${index + 2}`).join(', ')})` : ''
  const found = await pool.query<Sealed>(
    `SELECT ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS address, sealed FROM ${table}
     WHERE sealed IS NOT NULL AND sealed NOT LIKE $1 ${further} ORDER BY ${columns} LIMIT ${batch}`,
    [`v1.${box.keyId}.%`, ...(after ?? [])],
  )
  return found.rows
}

function rewrap(box: SecretBox, place: Place, sealed: string): string | null {
  try {
    return box.rewrap(place, sealed)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

/** Replaces the old wrapping, which is part of the condition: a row that was written meanwhile stays as it is. */
async function replace({ pool }: House, { table }: SealedTable, fresh: readonly Rewrapped[]): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE ${table} SET sealed = fresh.new FROM unnest($1::text[], $2::text[]) AS fresh(old, new)
     WHERE ${table}.sealed = fresh.old AND fresh.new IS NOT NULL`,
    [fresh.map((value) => value.old), fresh.map((value) => value.new)],
  )
  return rowCount ?? 0
}

const placeOf = (table: string, address: readonly string[]): Place => ({ table, id: address.join(' '), field: 'sealed' })
