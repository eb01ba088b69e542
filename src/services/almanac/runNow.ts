import type { Schedule as ScheduleRow } from '../../platform/prisma/generated/client.ts'
import { inTransaction } from '../../platform/prisma/inTransaction.ts'
import { inDispatch } from '../../platform/tracing.ts'
import { notFound } from '../change.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { dispatchFacts, storeOn, type Made, type NewQuery } from '../sirp/engine/dispatch.ts'
import { sendNow } from '../sirp/engine/outbox.ts'
import { findQuery } from '../sirp/queryRecords.ts'
import { behalfOf, newQuery, type Started } from '../sirp/queryStarts.ts'
import { metadataOf, scheduleNoun, valuesOf } from '../sirp/scheduleRecords.ts'
import { draftOf } from './fire.ts'
import { countRun, lockSchedule, recordRun } from './runRecords.ts'
import { understandSchedule } from './understand.ts'

/** Starts the query of a schedule outside its slots. A repeat of the same idempotent request finds the first one. */
export async function runNow(house: House, request: RequestFacts, schedule: ScheduleRow): Promise<Started> {
  const id = request.newId
  const { parsed, ...options } = await understandSchedule(house, { ...schedule, values: valuesOf(schedule) })
  const draft = draftOf({ ...schedule, metadata: metadataOf(schedule) })
  const query = newQuery(behalfOf(request), draft, parsed, { ...options, id, scheduleId: schedule.id })
  const stored = await inDispatch(id, 'query.dispatch', () => dispatchFacts(query), () => store(house, schedule, query))
  sendNow(house, stored)
  const [made] = stored
  return made ? { id, status: 'queued', createdAt: made.createdAt, isNew: true, isKept: true } : { ...(await findQuery(house, id)), isNew: false, isKept: true }
}

/** Stores the run and its query together; nothing where an earlier try of the same request has done so. */
function store(house: House, { id: scheduleId }: ScheduleRow, query: NewQuery): Promise<Made[]> {
  return inTransaction(house.pool, async (client) => {
    if (!(await lockSchedule(client, scheduleId))) throw notFound(scheduleNoun, scheduleId)
    const run = { id: query.id, scheduleId, slot: null, status: 'fired', reason: null, queryId: query.id } as const
    if (!(await recordRun(client, run))) return []
    await countRun(client, scheduleId, query.id)
    return storeOn(client, [query])
  })
}
