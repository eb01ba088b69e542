import type { House } from '../../src/services/house.ts'

/** Every row of every table as text, for whoever looks for what must not be in the database in clear. */
export async function everyText({ pool }: House): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>("SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'")
  const { rows } = await pool.query<{ text: string }>(tables.map(({ name }) => `SELECT ${name}::text AS text FROM ${name}`).join(' UNION ALL '))
  return rows.map(({ text }) => text).join('\n')
}

/** The spellings in which a text would be found in the rows: as it is, and as the bytes of a binary column. */
export const spellingsOf = (text: string): string[] => [text, Buffer.from(text).toString('hex')]
