import type { House } from '../house.ts'
import { queueOf } from '../queuesOf.ts'
import { outboxColumns, sendNow, type OutboxJob } from '../sirp/engine/outbox.ts'
import { browserJobSql } from './jobStore.ts'
import { isLive } from '../states.ts'

/** How long a job may lie in its queue before it is looked for; then again each time this has passed. */
const lookAfterMs = 3_000
const atOnce = 1_000

interface Candidate {
  readonly id: string
  readonly jobNo: number
  /** Its owner has given no sign of life for too long. */
  readonly abandoned: boolean
}

/** Finds browser jobs that nobody works on and no queue holds — their worker died, or Redis lost them — and puts them back. */
export async function reconcileBrowserJobs(house: House, spareOwned: boolean): Promise<number> {
  const { rows: idle } = await house.pool.query<Candidate>({ name: 'browser-jobs-idle', text: idleSql, values: [lookAfterMs, atOnce] })
  const rows = idle.filter(({ abandoned }) => !abandoned || !spareOwned)
  if (rows.length === 0) return 0
  const queued = await queuedAmong(house, rows.filter(({ abandoned }) => !abandoned))
  if (queued.size > 0) await house.pool.query({ name: 'browser-jobs-alive', text: 'UPDATE browser_jobs SET enqueued_at = now() WHERE id = ANY($1::uuid[])', values: [[...queued]] })
  const lost = rows.filter(({ id }) => !queued.has(id))
  if (lost.length === 0) return 0
  const jobs = await house.pool.query<OutboxJob>({ name: 'browser-jobs-again', text: againSql, values: [lost.map(({ id }) => id), lost.map(({ jobNo }) => jobNo)] })
  house.log.info({ count: jobs.rows.length }, 'browser jobs without a job in the queue were put back into it')
  sendNow(house, jobs.rows)
  return jobs.rows.length
}

/** Those that the queue still holds, or about which it gives no answer now. */
async function queuedAmong(house: House, candidates: readonly Candidate[]): Promise<Set<string>> {
  const pipeline = house.redis.pipeline()
  const queue = queueOf(house, 'browser')
  for (const { id, jobNo } of candidates) pipeline.hmget(queue.toKey(`browser-${id}-${jobNo}`), 'data', 'finishedOn')
  const answers = candidates.length === 0 ? [] : ((await pipeline.exec()) ?? [])
  return new Set(candidates.flatMap(({ id }, at) => {
    const [error, fields] = answers[at] ?? [null, []]
    const [data, finishedOn] = (fields ?? []) as (string | null)[]
    return error || (data && !finishedOn) ? [id] : []
  }))
}

const idleSql = `
  SELECT id, job_no AS "jobNo", status = 'running' AS abandoned FROM browser_jobs
  WHERE status IN ('queued', 'running') AND enqueued_at < now() - $1 * interval '1 millisecond' AND (lease_until IS NULL OR lease_until < now())
  ORDER BY enqueued_at LIMIT $2`

const againSql = `
  WITH job AS (
    UPDATE browser_jobs SET status = 'queued', job_no = browser_jobs.job_no + 1, enqueued_at = now(), lease_until = NULL
    FROM unnest($1::uuid[], $2::integer[]) AS lost(id, job_no)
    WHERE browser_jobs.id = lost.id AND browser_jobs.job_no = lost.job_no AND ${isLive()} AND (lease_until IS NULL OR lease_until < now())
    RETURNING browser_jobs.*),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload) ${browserJobSql} FROM job RETURNING *)
  SELECT ${outboxColumns} FROM sent`
