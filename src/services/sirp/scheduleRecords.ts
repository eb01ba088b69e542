import type { overlaps, Schedule } from '../../contract/sirp/schedules.ts'
import { Prisma, type Schedule as ScheduleRow } from '../../platform/prisma/generated/client.ts'
import { oneRow, readOne } from '../../platform/prisma/oneRow.ts'
import { orNotFound } from '../change.ts'
import type { House } from '../house.ts'

/** What people call a schedule in messages. */
export const scheduleNoun = 'scheduled query'

/** The prepared read of one schedule. */
export const storedSchedules = oneRow('schedules', Prisma.ScheduleScalarFieldEnum)

/** A schedule as it is kept, or a 404. */
export async function findSchedule({ pool }: House, id: string): Promise<ScheduleRow> {
  return orNotFound(await readOne<ScheduleRow>(pool, storedSchedules, 'id', id), scheduleNoun, id)
}

/** The values of a schedule whose query is a template; only objects are ever written. */
export const valuesOf = ({ templateValues }: ScheduleRow): Record<string, unknown> | null => templateValues as Record<string, unknown> | null

/** The notes of a schedule; only objects are ever written. */
export const metadataOf = ({ metadata }: ScheduleRow): Record<string, unknown> | null => metadata as Record<string, unknown> | null

/** A schedule as it is answered. */
export function presentSchedule(row: ScheduleRow): Schedule {
  const values = valuesOf(row)
  return {
    id: row.id,
    queryId: row.id,
    query: row.query,
    minutes: row.minutes,
    enabled: row.enabled,
    ttl: row.ttl,
    metadata: metadataOf(row),
    summary: row.summary,
    cleanup: row.cleanup,
    ...(values === null ? {} : { values }),
    overlap: row.overlap as (typeof overlaps)[number], // a constraint of the table knows no other word
    ...(row.sirpUrl === null ? {} : { sirpURL: row.sirpUrl }),
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    lastQueryId: row.lastQueryId,
    lastStatus: row.lastStatus,
    runs: { fired: row.fired, skipped: row.skipped, failed: row.failed },
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
