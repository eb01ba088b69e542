import type { AuditEntry } from '../contract/audit/entries.ts'
import { isOwnHash, rootHash, type ChainEntry } from './audit.ts'
import { createdWithin } from './createdWithin.ts'
import type { HandlersOf, Request } from './handler.ts'
import type { House } from './house.ts'
import { readPage, type Paged } from './paging.ts'

/** The audit log, for whoever watches over an installation. */
export function auditEntryHandlers(house: House): HandlersOf<'audit.entry.list'> {
  return { 'audit.entry.list': ({ query }) => listEntries(house, query) }
}

/** An entry with the hash of the one before it. */
interface Row extends ChainEntry {
  readonly before: Buffer | null
}

function listEntries({ pool }: House, { actor, action, target, from, to, ...page }: Request<'audit.entry.list'>['query']): Promise<Paged<AuditEntry>> {
  const { gte, lt } = createdWithin(from, to)
  const filters = [actor, action, target, gte, lt].map((value) => value ?? null)
  return readPage(
    page,
    {
      rows: async ({ skip, take }) => (await pool.query<Row>({ name: 'audit-page', text: pageSql, values: [...filters, take, skip] })).rows,
      count: async () => (await pool.query<{ total: number }>({ name: 'audit-count', text: countSql, values: filters })).rows[0]?.total ?? 0,
    },
    present,
  )
}

function present(row: Row): AuditEntry {
  const { seq, at, actor, operation, target, outcome, request_id: requestId, prev_hash: previous, hash, before } = row
  // Only somebody who changed the log can have put a time there that is none, and the entry is to be seen all the same.
  const time = new Date(at instanceof Date ? at : 0).toISOString()
  const intact = previous.equals(before ?? rootHash) && isOwnHash(row)
  return { id: seq, actor, action: operation, target, outcome, requestId, hash: hash.toString('hex'), intact, createdAt: time, updatedAt: time }
}

const whereSql = `
  WHERE ($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR operation = $2) AND ($3::text IS NULL OR target = $3)
    AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)`

const pageSql = `
  SELECT entry.*, (SELECT hash FROM audit_log WHERE seq < entry.seq ORDER BY seq DESC LIMIT 1) AS before
  FROM (
    SELECT seq, at, actor, operation, target, outcome, request_id, prev_hash, hash FROM audit_log ${whereSql}
    ORDER BY seq DESC LIMIT $6 OFFSET $7) AS entry
  ORDER BY seq DESC`

const countSql = `SELECT count(*)::double precision AS total FROM audit_log ${whereSql}`
