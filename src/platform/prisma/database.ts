import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Logger } from '../logger.ts'
import { PrismaClient, type Prisma } from './generated/client.ts'

export type { Prisma }
export type Database = PrismaClient

/** A database inside a transaction, or the database itself. */
export type Connection = Prisma.TransactionClient

/** The database as a process uses it: Prisma for resources, the pool for the few paths where statements are grouped. */
export interface OpenDatabase {
  readonly db: Database
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Opens the pool and Prisma over it; nothing is dialled before the first query, so any start order works. */
export function openDatabase(url: string, connections: number, log: Logger): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    application_name: 'quern',
    keepAlive: true,
  })
  // Without a listener the error of an idle connection, such as a restarted server, would end the process.
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  const db = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    db,
    pool,
    async close() {
      await db.$disconnect()
      await pool.end()
    },
  }
}
