import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** A database that must not be migrated as it is; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

interface Recorded {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

// The key that Prisma's own tool locks, so that the two never migrate at the same time.
const lockKey = 72_707_369
const lockTimeoutMs = 120_000

const createTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/**
 * Brings a database to the newest migration of a folder (`<timestamp_name>/migration.sql`) and gives the names of those it applied.
 * Any number of processes may call it at once: each migration is one transaction that first takes a lock and then looks what is left to do.
 */
export async function migrate(databaseUrl: string, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, application_name: 'quern migrate' })
  // A lost connection also fails the query that waits for it; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const applied: string[] = []
    for (;;) {
      const name = await applyNext(client, migrations)
      if (name === null) return applied
      applied.push(name)
    }
  } finally {
    await client.end()
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(names.sort().map((name) => readMigration(folder, name)))
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const path = join(folder, name, 'migration.sql')
  const sql = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError(`The migration ${name} cannot be read at ${path}: every folder of migrations needs a migration.sql.`, { cause })
  })
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/** Applies the first migration that the database lacks; null when it lacks none. */
async function applyNext(client: pg.Client, migrations: readonly Migration[]): Promise<string | null> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = 0`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey])
    await client.query(createTable)
    const next = findNext(migrations, await readRecorded(client))
    if (next) await apply(client, next)
    await client.query('COMMIT')
    return next?.name ?? null
  } catch (error) {
    // The connection may be what failed; the transaction is gone with it then.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function readRecorded(client: pg.Client): Promise<Recorded[]> {
  const found = await client.query<Recorded>(
    'SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at',
  )
  return found.rows
}

function findNext(migrations: readonly Migration[], recorded: readonly Recorded[]): Migration | undefined {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const row of recorded) refuseMismatch(row, known.get(row.migration_name))
  const done = new Set(recorded.map((row) => row.migration_name))
  return migrations.find((migration) => !done.has(migration.name))
}

function refuseMismatch(row: Recorded, migration: Migration | undefined): void {
  const name = row.migration_name
  if (!migration) {
    throw new MigrationError(
      `The database has the migration ${name}, which this version does not know: the database is newer than the code. ` +
        'Start the version that made it, or a newer one, or use another database.',
    )
  }
  if (row.finished_at === null) {
    throw new MigrationError(
      `The migration ${name} was begun by another tool and did not end. Look at the database, then mark it with \`prisma ` +
        `migrate resolve --applied ${name}\` or \`--rolled-back ${name}\`, and start again.`,
    )
  }
  if (row.checksum !== migration.checksum) {
    throw new MigrationError(
      `The migration ${name} was changed after it was applied to this database. Restore ` +
        `prisma/migrations/${name}/migration.sql as it was, and put the change into a new migration.`,
    )
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(
      `The migration ${migration.name} failed, and nothing of it was kept: ${reason}. Correct ` +
        `prisma/migrations/${migration.name}/migration.sql, or the data it stumbles over, and start again.`,
      { cause },
    )
  }
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), migration.checksum, migration.name],
  )
}
