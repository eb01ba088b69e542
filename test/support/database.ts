import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { pause } from '../../src/platform/clock.ts'

/** The migrated database that every test file starts from. */
export const templateDatabase = 'quern_template'

export function databaseUrlFor(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** A database of the file's own, gone when it is dropped. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A migrated database. */
export function cloneDatabase(): Promise<TestDatabase> {
  return createDatabase(templateDatabase)
}

/** A database without a table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0')
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `quern_${randomBytes(8).toString('hex')}`
  await runStatement(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  return { url: databaseUrlFor(inject('postgresUrl'), name), drop: () => dropDatabase(name) }
}

const triesToDrop = 40

/** The server's own cleaning may be at work in a database, and may not be ended by us: it is waited for. */
async function dropDatabase(name: string, tries = triesToDrop): Promise<void> {
  try {
    await runStatement(`DROP DATABASE ${name} WITH (FORCE)`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501' || tries === 0) throw error
    await pause(250)
    await dropDatabase(name, tries - 1)
  }
}

async function runStatement(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
