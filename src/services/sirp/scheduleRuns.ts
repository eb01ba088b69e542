import type { runStates, ScheduleRun } from '../../contract/sirp/scheduleRuns.ts'
import { Problem } from '../../platform/errors.ts'
import type { ScheduleRun as RunRow } from '../../platform/prisma/generated/client.ts'
import { runNow } from '../almanac/runNow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { readPage } from '../paging.ts'
import { backlogOf } from './engine/backlog.ts'
import { answerStart } from './queryDispatch.ts'
import { findSchedule } from './scheduleRecords.ts'

/** The runs of scheduled queries: those that were, and one more on request. */
export function scheduleRunHandlers(house: House): HandlersOf<'sirp.schedule.run' | 'sirp.schedule.runs'> {
  return {
    'sirp.schedule.run': async (request) => {
      const schedule = await findSchedule(house, request.params.id)
      if (schedule.sirpUrl !== null) throw new Problem('unprocessable', 'Another instance runs this schedule (see its sirpURL); dispatch the query there.')
      await backlogOf(house).admit(request.caller.keyId)
      return answerStart(house, request, await runNow(house, request, schedule))
    },

    'sirp.schedule.runs': async ({ params, query }) => {
      const { id: scheduleId } = await findSchedule(house, params.id)
      const [where, { scheduleRun }] = [{ scheduleId }, house.db]
      const orderBy = [{ createdAt: 'desc' as const }, { slot: { sort: 'desc' as const, nulls: 'first' as const } }, { id: 'desc' as const }]
      return readPage(query, { rows: (window) => scheduleRun.findMany({ where, ...window, orderBy }), count: () => scheduleRun.count({ where }) }, present)
    },
  }
}

function present({ id, scheduleId, slot, status, reason, queryId, queryStatus, createdAt, updatedAt, finishedAt }: RunRow): ScheduleRun {
  return {
    id,
    scheduleId,
    reason,
    queryId,
    queryStatus,
    slot: slot?.toISOString() ?? null,
    status: status as (typeof runStates)[number], // a constraint of the table knows no other word
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}
