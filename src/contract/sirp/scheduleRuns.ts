import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ListOf, MaybeInstant, OneOf, Page, Stamps, Uuid } from '../schemas.ts'
import { heldRules } from './queryDispatch.ts'
import { Held } from './queryResults.ts'
import { ByScheduleId } from './schedules.ts'

/** What can become of a slot. */
export const runStates = ['fired', 'skipped', 'failed'] as const

/** What became of one slot of a schedule, or of a run that somebody asked for. */
export const ScheduleRun = Type.Object({
  ...Stamps,
  scheduleId: Type.String(),
  slot: Type.With(MaybeInstant, { description: 'The time that it was due; null for a run that somebody asked for.' }),
  status: OneOf(runStates, { description: 'fired: its query was started; skipped: it was not run; failed: it could not be started.' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: '`missed` or `overlap` for a skipped slot; what went wrong for a failed or lost one.' }),
  queryId: Type.Union([Uuid, Type.Null()], { description: 'Its query; with `sirpURL` the id on that instance.' }),
  queryStatus: Type.Union([Type.String(), Type.Null()], {
    description:
      'The state of its query as it was last seen; `dispatched` where another instance has just taken it, `deleted` where it is gone, ' +
      '`lost` where that instance has told nothing for an hour.',
  }),
  finishedAt: MaybeInstant,
})
export type ScheduleRun = Static<typeof ScheduleRun>

/** The operations on the runs of a scheduled query. */
export const scheduleRuns = defineOperations({
  'sirp.schedule.run': {
    method: 'POST',
    path: '/v1/sirp/schedules/:id/run',
    summary: 'Run a scheduled query now',
    description:
      'Starts its query outside its slots, whether it is enabled or not and whatever else of it runs. With `sirpURL` a 422: only that ' +
      `instance runs it. ${heldRules}`,
    scope: 'schedules:write',
    origin: 'beyond',
    startsWork: true,
    params: ByScheduleId,
    reply: { status: 202, body: Held, location: '/v1/sirp/query/:id' },
  },
  'sirp.schedule.runs': {
    method: 'GET',
    path: '/v1/sirp/schedules/:id/runs',
    summary: 'Retrieve the runs of a scheduled query',
    description: 'Newest first: what became of each slot, and of each run that somebody asked for. They are kept for 30 days.',
    scope: 'schedules:read',
    origin: 'beyond',
    params: ByScheduleId,
    query: Page,
    reply: { status: 200, body: ListOf(ScheduleRun) },
  },
})
