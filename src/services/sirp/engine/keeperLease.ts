import type pg from 'pg'
import { lazily } from './lazily.ts'

const name = 'keeper'
const leaseMs = 5_000

/** Takes or renews the lease of those who look after all queries; answers whether this process has it. */
export async function holdLease(pool: pg.Pool, owner: string): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'keeper-hold', text: holdSql, values: [name, owner, leaseMs] })
  return rowCount === 1
}

/** Lets another process take the lease at once. */
export async function leaveLease(pool: pg.Pool, owner: string): Promise<void> {
  await pool.query({ name: 'keeper-leave', text: 'DELETE FROM leases WHERE name = $1 AND owner = $2', values: [name, owner] })
}

const holdSql = `
  WITH ${lazily} INSERT INTO leases AS held (name, owner, lease_until) SELECT $1, $2, now() + $3 * interval '1 millisecond' FROM lazy
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
  WHERE held.owner = excluded.owner OR held.lease_until < now() RETURNING 1`
