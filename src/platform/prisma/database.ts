import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import type { Logger } from '../logger.ts'
import { PrismaClient, type Prisma } from './generated/client.ts'
import { GuardedPool } from './guardedPool.ts'

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

/** How long a request waits for a connection of a busy pool: overload makes those already in slower, and does not fail them. */
const maxWaitMs = 20_000
const statementTimeoutMs = 30_000

/** Opens the pool and Prisma over it; nothing is dialled before the first query, so any start order works. */
export function openDatabase(url: string, connections: number, log: Logger): OpenDatabase {
  const pool = new GuardedPool(
    {
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: maxWaitMs,
      idleTimeoutMillis: 30_000,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 5_000,
      // A process that is cut off in the midst of a transaction must not hold its locks for long.
      idle_in_transaction_session_timeout: 15_000,
      application_name: 'quern',
      // Plans are kept with their prepared statements: one that was made when a table was nearly empty would still read all of it when it is large.
      // What a plan seems to cost then says nothing of whether it is worth compiling.
      options: '-c enable_seqscan=off -c jit=off',
      keepAlive: true,
    },
    log,
  )
  // Without a listener the error of an idle connection, such as a restarted server, would end the process.
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  const adapter = new PrismaPg(pool, { statementNameGenerator: statementNames() })
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: maxWaitMs, timeout: 10_000 } })
  return {
    db,
    pool,
    async close() {
      await db.$disconnect()
      await pool.end()
    },
  }
}

const maxStatements = 500

/** Names statements, so that the server parses and plans each text once a connection; texts beyond the bound stay unnamed. */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxStatements) return known ?? ''
    const name = `prisma_${names.size}`
    names.set(sql, name)
    return name
  }
}
