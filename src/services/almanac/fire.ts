import type pg from 'pg'
import { Problem } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { inTransaction } from '../../platform/prisma/inTransaction.ts'
import { inDispatch } from '../../platform/tracing.ts'
import type { House } from '../house.ts'
import { storeOn, type NewQuery } from '../sirp/engine/dispatch.ts'
import { sendNow, type OutboxJob } from '../sirp/engine/outbox.ts'
import { newQuery } from '../sirp/queryStarts.ts'
import { lockDue, type DueSchedule, type LockedSchedule } from './due.ts'
import { queueRemote } from './remoteRuns.ts'
import { advance, recordMissed, recordRun, type NewRun } from './runRecords.ts'
import { dueSlots } from './slots.ts'
import { understandSchedule } from './understand.ts'

/** What a due schedule is going to do: store a query, ask another instance for one, or tell why it cannot. */
type Start = { readonly query: NewQuery } | { readonly remote: true } | { readonly failure: string }

/**
 * Does what is due of one schedule, in one transaction: its slots, its query and the job of that query are there together or not at
 * all. Answers false where another process has done it, or is about to.
 */
export async function fireSchedule(house: House, due: DueSchedule): Promise<boolean> {
  const runId = newId()
  const start = await startOf(house, due, runId)
  const workId = 'query' in start ? start.query.id : runId
  const jobs = await inDispatch(workId, 'almanac.tick', () => ({ 'quern.schedule_id': due.id, 'quern.run_id': runId }), () =>
    inTransaction(house.pool, async (client) => {
      const locked = await lockDue(client, due)
      return locked && takeSlots(client, due, locked, start, runId)
    }),
  )
  sendNow(house, jobs ?? [])
  return jobs !== null
}

/** The query is read before the schedule is locked; whatever is wrong with it by now is told with the slot. */
async function startOf(house: House, due: DueSchedule, runId: string): Promise<Start> {
  try {
    const understood = await understandSchedule(house, due)
    if (due.sirpUrl !== null) return { remote: true }
    const behalf = { apiKeyId: due.apiKeyId, requestId: `schedule-${runId}`, operation: 'almanac.tick' }
    const { parsed, ...options } = understood
    return { query: newQuery(behalf, draftOf(due), parsed, { ...options, id: newId(), scheduleId: due.id }) }
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return { failure: `${error.code}: ${error.message}` }
    throw error
  }
}

/** The fields of a dispatch that a schedule was given; its minutes are its interval, not a bound of the query. */
export function draftOf({ ttl, metadata, summary, cleanup }: Pick<DueSchedule, 'ttl' | 'metadata' | 'summary' | 'cleanup'>) {
  return {
    ...(ttl === null ? {} : { ttl }),
    ...(metadata === null ? {} : { metadata: { ...metadata } }),
    ...(summary === null ? {} : { summary }),
    ...(cleanup === null ? {} : { cleanup }),
  }
}

async function takeSlots(client: pg.PoolClient, due: DueSchedule, locked: LockedSchedule, start: Start, runId: string): Promise<OutboxJob[]> {
  const { minutes, anchorAt, now } = locked
  const { newestMs, missed, nextMs } = dueSlots({ anchorMs: anchorAt.getTime(), minutes }, due.nextRunAt.getTime(), now.getTime())
  const run = runOf(due.id, new Date(newestMs), locked, start, runId)
  await recordMissed(client, due.id, newestMs, missed, minutes)
  const isNew = await recordRun(client, run)
  const nextRunAt = nextMs === null ? null : new Date(nextMs)
  const isSkipped = run.status === 'skipped'
  await advance(client, due.id, { nextRunAt, skipped: missed + (isNew && isSkipped ? 1 : 0), run: isNew && !isSkipped ? run : null })
  if (!isNew || run.status !== 'fired') return []
  // The lock of the audit log puts all writers in line, so it is taken last.
  return 'query' in start ? storeOn(client, [start.query]) : [await queueRemote(client, runId)]
}

function runOf(scheduleId: string, slot: Date, { busy, overlap }: LockedSchedule, start: Start, id: string): NewRun {
  const run = { id, scheduleId, slot, reason: null, queryId: null }
  if (busy && overlap === 'skip') return { ...run, status: 'skipped', reason: 'overlap' }
  if ('failure' in start) return { ...run, status: 'failed', reason: start.failure }
  return { ...run, status: 'fired', queryId: 'query' in start ? start.query.id : null }
}
