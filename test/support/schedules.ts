import { send } from '../../src/client/index.ts'
import type { Schedule } from '../../src/contract/sirp/schedules.ts'
import type { ScheduleRun } from '../../src/platform/prisma/generated/client.ts'
import type { RunningApi } from './api.ts'

/** The three operations that create a schedule. */
export type ScheduleCreation = 'sirp.schedule.create' | 'almanac.schedule.create' | 'schedules.schedule.create'

/** Creates a schedule that a test starts from. */
export async function createSchedule(api: RunningApi, fields: object = {}): Promise<Schedule> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'almanac.schedule.create', { body: { query: 'range 3', ...fields } })
  if (response.status !== 201) throw new Error(`the schedule was not created: ${await response.text()}`)
  return (await response.json()) as Schedule
}

/** Moves a schedule's beginning this long into the past, as if it had been created then. */
export async function backdate(api: RunningApi, id: string, byMs: number): Promise<Date> {
  const { anchorAt } = await api.house.db.schedule.findUniqueOrThrow({ where: { id } })
  const earlier = new Date(anchorAt.getTime() - byMs)
  await api.house.db.schedule.update({ where: { id }, data: { anchorAt: earlier } })
  return earlier
}

/** Milliseconds between two instants. */
export const msBetween = (from: string | null, to: string | null): number => Date.parse(to ?? '') - Date.parse(from ?? '')

/** Lets slots of a schedule have passed without anybody running them: its next run was due this long ago. */
export async function makeDue({ house }: Pick<RunningApi, 'house'>, id: string, agoMs: number): Promise<Date> {
  const { rows } = await house.pool.query<{ due: Date }>(
    `UPDATE schedules SET next_run_at = now() - $2 * interval '1 millisecond',
       anchor_at = now() - $2 * interval '1 millisecond' - minutes * interval '1 minute' WHERE id = $1 RETURNING next_run_at AS due`,
    [id, agoMs],
  )
  return rows[0]?.due ?? new Date(Number.NaN)
}

/** What became of the slots of a schedule, the newest first. */
export async function runsOf({ house }: Pick<RunningApi, 'house'>, scheduleId: string): Promise<ScheduleRun[]> {
  return house.db.scheduleRun.findMany({ where: { scheduleId }, orderBy: [{ createdAt: 'desc' }, { slot: 'desc' }] })
}
