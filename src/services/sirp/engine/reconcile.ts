import type { QueueName } from '../../../contract/queues.ts'
import type { House } from '../../house.ts'
import { queueOf } from '../../queuesOf.ts'
import { nothingUnderWay } from './claims.ts'
import { endQuery } from './ends.ts'
import { outboxColumns, sendNow, unitJobSql, type OutboxJob } from './outbox.ts'
import { isLive, isRunning } from '../../states.ts'

/** How long a job may lie in its queue before it is looked for; then again each time this has passed. */
const lookAfterMs = 3_000
const atOnce = 1_000

interface Candidate {
  readonly queryId: string
  readonly stage: number
  readonly firstRow: number
  readonly queue: QueueName
  readonly jobId: string
  readonly jobNo: number
  /** Its owner has given no sign of life for too long. */
  readonly abandoned: boolean
}

/**
 * Finds queries that should have a job and have none — their worker died, or Redis lost it — and gives them a new one. `spareOwned`
 * leaves them to their owners, however old the leases of these are: nobody could renew one while the database was away.
 */
export async function reconcileQueries(house: House, spareOwned: boolean): Promise<number> {
  const { rows } = await house.pool.query<Candidate>({ name: 'queries-idle', text: idleQueriesSql, values: [lookAfterMs, atOnce] })
  const { lost, alive } = await sortOut(house, rows, spareOwned)
  if (alive.length > 0) await house.pool.query({ name: 'queries-seen-alive', text: aliveQueriesSql, values: [alive.map(({ queryId }) => queryId)] })
  if (lost.length === 0) return 0
  const jobs = await house.pool.query<OutboxJob>({ name: 'queries-again', text: againQueriesSql, values: [lost.map(({ queryId }) => queryId), lost.map(({ jobNo }) => jobNo)] })
  house.log.info({ count: jobs.rows.length }, 'queries without a job were put back into the queue')
  sendNow(house, jobs.rows)
  return jobs.rows.length
}

/** The same for the units of expanding stages. */
export async function reconcileUnits(house: House, spareOwned: boolean): Promise<number> {
  const { rows } = await house.pool.query<Candidate>({ name: 'units-idle', text: idleUnitsSql, values: [lookAfterMs, atOnce] })
  const { lost, alive } = await sortOut(house, rows, spareOwned)
  if (alive.length > 0) await house.pool.query({ name: 'units-seen-alive', text: aliveUnitsSql, values: keysOf(alive) })
  if (lost.length === 0) return 0
  const jobs = await house.pool.query<OutboxJob>({ name: 'units-again', text: againUnitsSql, values: [...keysOf(lost), lost.map(({ jobNo }) => jobNo)] })
  house.log.info({ count: jobs.rows.length }, 'units without a job were put back into the queue')
  sendNow(house, jobs.rows)
  return jobs.rows.length
}

/** Ends queries that are out of time and whose worker does not say so. */
export async function expireOverdue(house: House): Promise<void> {
  const { rows } = await house.pool.query<{ id: string }>({ name: 'queries-overdue', text: `SELECT id FROM queries WHERE status = 'running' AND deadline_at < now() LIMIT 100` })
  for (const { id } of rows) {
    await endQuery(house, id, 'expired', { code: 'deadline_exceeded', detail: 'The query took longer than its minutes allow.' }, { anyone: true })
  }
}

const keysOf = (units: readonly Candidate[]) => [units.map(({ queryId }) => queryId), units.map(({ stage }) => stage), units.map(({ firstRow }) => firstRow)]

/** What was abandoned needs a new job whatever the queue says; the rest only where its job is not to be found, or has ended. */
async function sortOut(house: House, candidates: readonly Candidate[], spareOwned: boolean): Promise<{ lost: Candidate[]; alive: Candidate[] }> {
  const lost = candidates.filter(({ abandoned }) => abandoned && !spareOwned)
  const waiting = candidates.filter(({ abandoned }) => !abandoned)
  const pipeline = house.redis.pipeline()
  for (const { queue, jobId } of waiting) pipeline.hmget(queueOf(house, queue).toKey(jobId), 'data', 'finishedOn')
  const answers = waiting.length === 0 ? [] : ((await pipeline.exec()) ?? [])
  const alive: Candidate[] = []
  for (const [index, candidate] of waiting.entries()) {
    const [error, fields] = answers[index] ?? [null, []]
    if (error) continue // in doubt it is asked again
    const [data, finishedOn] = fields as (string | null)[]
    if (data === null || data === undefined || finishedOn) lost.push(candidate)
    else alive.push(candidate)
  }
  return { lost, alive }
}

const idleQueriesSql = `
  SELECT id AS "queryId", 0 AS stage, 0 AS "firstRow", 'query' AS queue, 'query-' || id || '-' || job_no AS "jobId", job_no AS "jobNo", lease_until IS NOT NULL AS abandoned
  FROM queries
  WHERE status IN ('queued', 'running') AND enqueued_at < now() - $1 * interval '1 millisecond' AND (lease_until IS NULL OR lease_until < now())
    AND ${nothingUnderWay}
  ORDER BY enqueued_at LIMIT $2`

const aliveQueriesSql = 'UPDATE queries SET enqueued_at = now() WHERE id = ANY($1::uuid[])'

const againQueriesSql = `
  WITH again AS (
    UPDATE queries SET job_no = queries.job_no + 1, enqueued_at = now(), lease_until = NULL
    FROM unnest($1::uuid[], $2::integer[]) AS lost(id, job_no)
    WHERE queries.id = lost.id AND queries.job_no = lost.job_no AND ${isLive()} AND (lease_until IS NULL OR lease_until < now())
    RETURNING queries.id, queries.job_no),
  sent AS (
    INSERT INTO outbox (queue, name, job_id, payload)
    SELECT 'query', 'query.run', 'query-' || id || '-' || job_no, json_build_object('queryId', id) FROM again RETURNING *)
  SELECT ${outboxColumns} FROM sent`

const idleUnitsSql = `
  SELECT query_id AS "queryId", stage, first_row AS "firstRow", queue, 'expand-' || query_id || '-' || stage || '-' || first_row || '-' || query_units.job_no AS "jobId",
    query_units.job_no AS "jobNo", query_units.status = 'running' AS abandoned
  FROM query_units JOIN queries ON queries.id = query_id AND ${isRunning('queries')}
  WHERE query_units.status IN ('queued', 'running') AND query_units.enqueued_at < now() - $1 * interval '1 millisecond'
    AND (query_units.lease_until IS NULL OR query_units.lease_until < now()) AND (not_before IS NULL OR not_before < now() - interval '1 second')
  ORDER BY query_units.enqueued_at LIMIT $2`

const aliveUnitsSql = `
  UPDATE query_units SET enqueued_at = now() FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS seen(query_id, stage, first_row)
  WHERE query_units.query_id = seen.query_id AND query_units.stage = seen.stage AND query_units.first_row = seen.first_row`

const againUnitsSql = `
  WITH unit AS (
    UPDATE query_units SET status = 'queued', job_no = query_units.job_no + 1, enqueued_at = now(), lease_until = NULL
    FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[]) AS lost(query_id, stage, first_row, job_no)
    WHERE query_units.query_id = lost.query_id AND query_units.stage = lost.stage AND query_units.first_row = lost.first_row AND query_units.job_no = lost.job_no
      AND ${isLive('query_units')} AND (lease_until IS NULL OR lease_until < now())
    RETURNING query_units.*),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload) ${unitJobSql} FROM unit RETURNING *)
  SELECT ${outboxColumns} FROM sent`
