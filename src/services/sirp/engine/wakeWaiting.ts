import type { QueueName } from '../../../contract/queues.ts'
import { namesCovering } from '../../../governor/cover.ts'
import type { House } from '../../house.ts'
import { queueOf } from '../../queuesOf.ts'

const atOnce = 50

interface Delayed {
  readonly queue: QueueName
  readonly jobId: string
}

/** Has whatever waits for the count of a domain ask again now, because its policy has changed: of the domain itself, its parents and its sub-domains. */
export async function wakeWaiting(house: House, domain: string): Promise<void> {
  const { rows } = await house.pool.query<Delayed>({ name: 'waiting-for-domain', text: delayedSql, values: [namesCovering(domain), `.${domain}`] })
  for (let from = 0; from < rows.length; from += atOnce) await Promise.all(rows.slice(from, from + atOnce).map((delayed) => promote(house, delayed)))
}

/** A job that has begun, or is not there, needs no waking. */
async function promote(house: House, { queue, jobId }: Delayed): Promise<void> {
  const job = await queueOf(house, queue).getJob(jobId)
  await job?.promote().catch(() => undefined)
}

const waitsSql = (table: string): string => `(${table}.waiting->>'domain' = ANY($1::text[]) OR right(${table}.waiting->>'domain', length($2::text)) = $2)`

/** A delayed browser job does not say what it waits for: what it is to open is sealed. All of them ask again. */
const delayedSql = `
  SELECT queue, 'expand-' || query_id || '-' || stage || '-' || first_row || '-' || job_no AS "jobId" FROM query_units
  WHERE status = 'queued' AND not_before > now() AND ${waitsSql('query_units')}
  UNION ALL SELECT 'query', 'query-' || id || '-' || job_no FROM queries
  WHERE status = 'running' AND lease_until IS NULL AND enqueued_at > now() AND ${waitsSql('queries')}
  UNION ALL SELECT 'browser', 'browser-' || id || '-' || job_no FROM browser_jobs WHERE status = 'queued' AND enqueued_at > now()`
