import pg from 'pg'
import { onTestFinished } from 'vitest'
import { cloneDatabase, type TestDatabase } from './database.ts'

/** A database of the test's own with a pool to look into it; both are gone when the test ends. */
export async function openTestPool(create: () => Promise<TestDatabase> = cloneDatabase): Promise<{ url: string; pool: pg.Pool }> {
  const { url, drop } = await create()
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  // The server ends our connections where the test breaks them, and when it drops the database.
  pool.on('error', () => undefined)
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return { url, pool }
}
