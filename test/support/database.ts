import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** The migrated database that every test file starts from. */
export const templateDatabase = 'quern_template'

export function databaseUrlFor(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** A database of the file's own, gone when it ends. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `quern_${randomBytes(8).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`)
  return { url: databaseUrlFor(inject('postgresUrl'), name), drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}
