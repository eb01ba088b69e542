import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openLogger } from '../../src/platform/logger.ts'
import { openDatabase } from '../../src/platform/prisma/database.ts'
import { readPrismaSchema } from '../support/prismaSchema.ts'
import { openTestPool } from '../support/testPool.ts'

const models = readPrismaSchema(readFileSync('prisma/schema.prisma', 'utf8'))

interface Column {
  readonly column: string
  readonly type: string
  readonly nullable: boolean
  readonly hasDefault: boolean
}

const readColumns = async (pool: pg.Pool, table: string): Promise<Column[]> => {
  const { rows } = await pool.query<Column>(
    `SELECT column_name AS column, is_nullable = 'YES' AS nullable, column_default IS NOT NULL AS "hasDefault",
       udt_name || coalesce('(' || CASE udt_name WHEN 'timestamptz' THEN datetime_precision END || ')', '') AS type
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY column_name`,
    [table],
  )
  return rows
}

/** The columns of each primary key (`p`), unique (`u`) and exclusion (`x`) constraint. */
const readConstraints = async (pool: pg.Pool, table: string, kinds: readonly string[]): Promise<string[][]> => {
  const { rows } = await pool.query<{ columns: string[] }>(
    `SELECT ARRAY(
         SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS key(number, place)
         JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place) AS columns
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype = ANY ($2) ORDER BY conname`,
    [table, kinds],
  )
  return rows.map((row) => row.columns)
}

interface AnyTable {
  findFirst(args: { select: Readonly<Record<string, true>> }): Promise<unknown>
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

describe('the Prisma schema and the migrations', () => {
  test('know the same tables', async () => {
    const { pool } = await openTestPool()
    const { rows } = await pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY table_name`,
    )
    expect(rows.map((row) => row.name)).toEqual(models.map((model) => model.table).toSorted())
    expect(models.length).toBeGreaterThan(15)
  })

  test('agree on every column: its type, and whether it may be null', async () => {
    const { pool } = await openTestPool()
    for (const { table, fields } of models) {
      const described = fields.map(({ column, type, nullable }) => ({ column, type, nullable })).toSorted(byText)
      const found = (await readColumns(pool, table)).map(({ column, type, nullable }) => ({ column, type, nullable })).toSorted(byText)
      expect({ table, columns: found }).toEqual({ table, columns: described })
    }
  })

  test('agree on the columns that fill themselves in', async () => {
    const { pool } = await openTestPool()
    for (const { table, fields } of models) {
      const filled = new Set((await readColumns(pool, table)).filter(({ hasDefault }) => hasDefault).map(({ column }) => column))
      expect([table, fields.filter(({ column, hasDefault }) => hasDefault && !filled.has(column))]).toEqual([table, []])
    }
  })

  test('agree on keys, and on what is unique', async () => {
    const { pool } = await openTestPool()
    for (const { table, primaryKey, unique } of models) {
      expect([table, await readConstraints(pool, table, ['p'])]).toEqual([table, [primaryKey]])
      expect([table, (await readConstraints(pool, table, ['u', 'x'])).toSorted(byText)]).toEqual([table, unique.toSorted(byText)])
    }
  })
})

describe('the generated client', () => {
  test('reads every field of every model', async () => {
    const { url } = await openTestPool()
    const { db, close } = openDatabase(url, 2, openLogger('silent', 'test'))
    try {
      const tables = db as unknown as Record<string, AnyTable> // every model is a member of the client, by its name
      for (const { name, fields } of models) {
        const select = Object.fromEntries(fields.map((field) => [field.name, true as const]))
        expect(await tables[`${name[0]?.toLowerCase()}${name.slice(1)}`]?.findFirst({ select })).toBeNull()
      }
    } finally {
      await close()
    }
  })

  test('writes a full row of every type and reads it back the same', async () => {
    const { url } = await openTestPool()
    const { db, close } = openDatabase(url, 2, openLogger('silent', 'test'))
    try {
      const at = new Date('2026-02-03T04:05:06.789Z')
      const id = '00000000-0000-4000-8000-000000000001'
      const schedule = {
        id: 'nightly', query: 'open', minutes: 5, enabled: false, ttl: 2_147_483_647, summary: true, cleanup: null, sirpUrl: 'http://a',
        metadata: { nested: ['ä', 1.5, null] }, anchorAt: at, nextRunAt: at, lastRunAt: null, lastQueryId: id, lastStatus: 'completed',
        fired: 1, skipped: 2, failed: 3, overlap: 'queue', templateValues: { a: 1 }, apiKeyId: id, version: 4, createdAt: at, updatedAt: at,
      }
      expect(await db.schedule.create({ data: schedule })).toEqual(schedule)
      const stamps = { createdAt: at, updatedAt: at }
      const key = { id, lookup: 'l', hash: new Uint8Array([0, 255]), name: 'n', scopes: ['a', 'b,"{}'], expiresAt: null, ...stamps }
      expect(await db.apiKey.create({ data: key })).toEqual(key)
      await db.cellarContent.create({ data: { id } })
      const content = { contentId: id, contentType: 't', format: 'csv', bytes: 9_007_199_254_740_993n, sha256: 's' }
      const file = { id, name: 'f', ...content, version: 1, ...stamps }
      expect(await db.cellarFile.create({ data: file })).toEqual(file)
    } finally {
      await close()
    }
  })
})
