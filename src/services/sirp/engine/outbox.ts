import type { JobName, QueueName } from '../../../contract/queues.ts'
import { Batcher } from '../../../platform/batcher.ts'
import type { House } from '../../house.ts'
import { lazily } from './lazily.ts'
import { queueOf } from '../../queuesOf.ts'
import { perHouse } from '../../perHouse.ts'
import { inTransaction } from '../../../platform/prisma/inTransaction.ts'

/** A job that was written into the outbox by the transaction that needs it. */
export interface OutboxJob {
  readonly id: string
  readonly queue: QueueName
  readonly name: JobName
  readonly jobId: string
  readonly payload: object
  readonly delayMs: number
}

/** The columns of the outbox as an `OutboxJob`. */
export const outboxColumns = 'id::text, queue, name, job_id AS "jobId", payload, delay_ms AS "delayMs"'

/** What makes the job of a unit (`unit`, with its query, stage, first row and number). */
export const unitJobSql = `
  SELECT unit.queue, unit.queue || '.expand', 'expand-' || unit.query_id || '-' || unit.stage || '-' || unit.first_row || '-' || unit.job_no,
    json_build_object('queryId', unit.query_id, 'stage', unit.stage, 'firstRow', unit.first_row)`

/** How long a job may lie in the outbox before the relay takes it: its own process is about to send it. */
const relayAfterMs = 2_000
const relayAtOnce = 500

/**
 * Puts jobs whose transaction has just been committed into their queues, so that the usual path waits for no poll.
 * What fails here is no failure of the caller: the job lies in the outbox, and the relay sends it.
 */
export function sendNow(house: House, jobs: readonly OutboxJob[]): void {
  if (jobs.length === 0) return
  addJobs(house, jobs)
    .then(() => removerOf(house).add(jobs.map(({ id }) => id)))
    .catch((err: unknown) => house.log.debug({ err }, 'jobs are left to the relay'))
}

/** The same once their callers have gone on: to send many takes a while, and whoever is to be answered need not wait for it. */
export function sendSoon(house: House, jobs: readonly OutboxJob[]): void {
  setImmediate(sendNow, house, jobs)
}

/** Sends what other processes have left in the outbox; answers how many jobs that were. */
export function relayOutbox(house: House): Promise<number> {
  return inTransaction(house.pool, async (client) => {
    const { rows } = await client.query<OutboxJob>({ name: 'outbox-waiting', text: waitingSql, values: [relayAfterMs, relayAtOnce] })
    if (rows.length === 0) return 0
    await addJobs(house, rows)
    await client.query({ name: 'outbox-remove', text: removeSql, values: [rows.map(({ id }) => id)] })
    return rows.length
  })
}

const waitingSql = `
  SELECT ${outboxColumns} FROM outbox WHERE created_at < now() - $1 * interval '1 millisecond'
  ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`

/** A job that is sent again because this was forgotten finds its work done. */
const removeSql = `WITH ${lazily} DELETE FROM outbox USING lazy WHERE id = ANY($1::bigint[])`

/** The id of a job is made of what it is for, so that sending it twice is sending it once. */
async function addJobs(house: House, jobs: readonly OutboxJob[]): Promise<void> {
  const [first] = jobs
  // The way for many costs one that comes alone a good part of its time.
  if (first && jobs.length === 1) return void (await queueOf(house, first.queue).add(first.name, first.payload, optionsOf(first)))
  for (const name of new Set(jobs.map(({ queue }) => queue))) {
    const mine = jobs.filter(({ queue }) => queue === name)
    await queueOf(house, name).addBulk(mine.map((job) => ({ name: job.name, data: job.payload, opts: optionsOf(job) })))
  }
}

const optionsOf = ({ jobId, delayMs }: OutboxJob): { jobId: string; delay?: number } => ({ jobId, ...(delayMs > 0 ? { delay: delayMs } : {}) })

/** Sent jobs leave the outbox together, and out of the way of those who wait for them: nobody waits for it. */
const removerOf = perHouse((house) => {
  const remove = async (sent: readonly (readonly string[])[]): Promise<void[]> => {
    await house.pool.query({ name: 'outbox-remove', text: removeSql, values: [sent.flat()] })
    return sent.map(() => undefined)
  }
  return new Batcher(remove, { maxItems: 1_000, lanes: 1, gatherMs: 50 })
})
