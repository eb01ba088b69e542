import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate, MigrationError } from '../../src/platform/migrations.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { makeTestDir } from '../support/testDir.ts'
import { openTestPool } from '../support/testPool.ts'

const [one, two] = ['20260101000000_one', '20260102000000_two'] as const

/** An empty database, and a folder of migrations to write into. */
async function prepare() {
  const { url, pool } = await openTestPool(createEmptyDatabase)
  const folder = await makeTestDir()
  const write = async (name: string, sql: string): Promise<void> => {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'migration.sql'), sql)
  }
  return { pool, folder, write, run: () => migrate(url, folder) }
}

const tablesOf = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  )
  return rows.map((row) => row.name)
}

const recordsOf = async (pool: pg.Pool): Promise<unknown[]> => {
  const { rows } = await pool.query(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished, rolled_back_at IS NULL AS kept, applied_steps_count AS steps
     FROM _prisma_migrations ORDER BY 1`,
  )
  return rows
}

const done = (name: string) => ({ name, finished: true, kept: true, steps: 1 })

describe('migrate', () => {
  test('brings an empty database to the newest migration of the project, and then finds nothing to do', async () => {
    const { url, pool } = await openTestPool(createEmptyDatabase)
    const applied = await migrate(url, resolve('prisma/migrations'))
    expect(applied.length).toBeGreaterThan(0)
    expect(await recordsOf(pool)).toEqual(applied.map(done))
    expect(await tablesOf(pool)).toContain('audit_log')
    expect(await migrate(url, resolve('prisma/migrations'))).toEqual([])
  })

  test('applies what is new, in the order of names, each with its own record', async () => {
    const { pool, write, run } = await prepare()
    await write(two, 'ALTER TABLE a ADD COLUMN b integer')
    await write(one, 'CREATE TABLE a (id integer)')
    expect(await run()).toEqual([one, two])
    await write('20260103000000_three', 'CREATE TABLE c (id integer)')
    expect(await run()).toEqual(['20260103000000_three'])
    expect(await recordsOf(pool)).toEqual([one, two, '20260103000000_three'].map(done))
  })

  test('applies each migration once when many run it at once', async () => {
    const { pool, write, run } = await prepare()
    await write(one, 'CREATE TABLE a (id integer); SELECT pg_sleep(0.2)')
    await write(two, 'INSERT INTO a VALUES (1)')
    const applied = await Promise.all(Array.from({ length: 6 }, run))
    expect(applied.flat().toSorted()).toEqual([one, two])
    expect((await pool.query('SELECT id FROM a')).rows).toEqual([{ id: 1 }])
  })

  test('refuses a migration that was changed after it was applied, and applies nothing', async () => {
    const { pool, write, run } = await prepare()
    await write(one, 'CREATE TABLE a (id integer)')
    await run()
    await write(one, 'CREATE TABLE a (id bigint)')
    await write(two, 'CREATE TABLE b (id integer)')
    await expect(run()).rejects.toThrow(new RegExp(`The migration ${one} was changed.*Restore prisma/migrations/${one}/migration.sql`))
    expect(await tablesOf(pool)).toEqual(['_prisma_migrations', 'a'])
  })

  test('refuses a database that is newer than the code', async () => {
    const { folder, write, run } = await prepare()
    await write(one, 'CREATE TABLE a (id integer)')
    await write(two, 'CREATE TABLE b (id integer)')
    await run()
    await rm(join(folder, two), { recursive: true })
    await expect(run()).rejects.toThrow(new RegExp(`${two}.*newer than the code`))
  })

  test('keeps nothing of a migration that fails, and applies it after it was mended', async () => {
    const { pool, write, run } = await prepare()
    await write(one, 'CREATE TABLE a (id integer)')
    await write(two, 'CREATE TABLE b (id integer); INSERT INTO a VALUES (1); SELECT 1/0')
    await expect(run()).rejects.toThrow(MigrationError)
    await expect(run()).rejects.toThrow(new RegExp(`${two} failed, and nothing of it was kept: division by zero`))
    expect(await tablesOf(pool)).toEqual(['_prisma_migrations', 'a'])
    expect((await pool.query('SELECT * FROM a')).rows).toEqual([])
    expect(await recordsOf(pool)).toEqual([done(one)])
    await write(two, 'CREATE TABLE b (id integer)')
    expect(await run()).toEqual([two])
  })

  test('refuses a migration that another tool began and did not end, until it is marked', async () => {
    const { pool, write, run } = await prepare()
    await write(one, 'CREATE TABLE a (id integer)')
    await run()
    await write(two, 'CREATE TABLE b (id integer)')
    await pool.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', $1)`, [two])
    await expect(run()).rejects.toThrow('prisma migrate resolve')
    await pool.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = 'x'`)
    expect(await run()).toEqual([two])
  })

  test('names the folder that has no migration.sql', async () => {
    const { folder, run } = await prepare()
    await mkdir(join(folder, one))
    await expect(run()).rejects.toThrow(new RegExp(`${one} cannot be read at .*migration\\.sql`))
  })

  test('fails, and ends nothing else, when its connection is cut; the next one succeeds', async () => {
    const { pool, write, run } = await prepare()
    await write(one, 'CREATE TABLE a (id integer); SELECT pg_sleep(60)')
    const cut = expect(run()).rejects.toThrow(/terminat/)
    const cutIt = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'quern migrate' AND query LIKE '%pg_sleep%'`
    await expect.poll(async () => (await pool.query(cutIt)).rowCount, { timeout: 10_000 }).toBe(1)
    await cut
    expect(await tablesOf(pool)).toEqual([])
    await write(one, 'CREATE TABLE a (id integer)')
    expect(await run()).toEqual([one])
  })
})
