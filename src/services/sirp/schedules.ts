import type { ScheduledQueryDraft } from '../../contract/almanac/schedules.ts'
import type { QueryDraft } from '../../contract/sirp/queryDraft.ts'
import { defaultMinutes, type Schedule } from '../../contract/sirp/schedules.ts'
import { invalidField } from '../../platform/errors.ts'
import { Prisma, type Schedule as ScheduleRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import { firstSlot, nextSlot } from '../almanac/slots.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids =
  | `sirp.schedule.${'list' | 'create' | 'read' | 'update' | 'updateById' | 'delete' | 'enable' | 'disable'}`
  | `${'almanac' | 'schedules'}.schedule.create`

/** What a body may set of a schedule, as it is stored. */
interface Settings {
  readonly query: string
  readonly ttl?: number
  readonly metadata?: Prisma.InputJsonObject
  readonly summary?: boolean
  readonly cleanup?: boolean
}

interface Columns extends Settings {
  readonly minutes: number
  readonly enabled: boolean
  readonly sirpUrl?: string
  readonly anchorAt: Date
  readonly nextRunAt: Date | null
  readonly createdAt: Date
}

/** Scheduled queries: what runs again and again by itself. */
export function scheduleHandlers(house: House): HandlersOf<Ids> {
  const schedules = new Records<ScheduleRow, Columns, Schedule>(house, {
    noun: 'scheduled query',
    key: 'id',
    table: (connection) => connection.schedule,
    stored: oneRow('schedules', Prisma.ScheduleScalarFieldEnum),
    present,
  })
  const taken = (id: string): string => `There is a scheduled query ${JSON.stringify(id)} already; update that one or choose another queryId.`
  const create = async (request: RequestFacts & { body: ScheduledQueryDraft }) => {
    const { queryId: id = request.newId } = request.body
    return schedules.create(request, newColumns(request.body, house.clock()), taken(id), id)
  }
  const update = (request: RequestFacts, id: string, draft: QueryDraft) =>
    schedules.update(request, id, (row) => changes(row, draft, house.clock()))

  return {
    'sirp.schedule.list': ({ query }) => schedules.list(query),
    'sirp.schedule.read': ({ params }) => schedules.read(params.id),
    'sirp.schedule.create': create,
    'almanac.schedule.create': create,
    'schedules.schedule.create': create,
    'sirp.schedule.update': (request) => update(request, request.body.queryId, request.body),
    'sirp.schedule.updateById': async (request) => {
      const { params, body } = request
      if (body.queryId !== undefined && body.queryId !== params.id) throw invalidField('/queryId', 'must be the id of the path, or be left out')
      return update(request, params.id, body)
    },
    'sirp.schedule.delete': (request) => schedules.delete(request, request.params.id),
    'sirp.schedule.enable': (request) =>
      schedules.update(request, request.params.id, (row) => (row.enabled ? {} : { enabled: true, nextRunAt: resumedAt(row, house.clock()) })),
    'sirp.schedule.disable': (request) => schedules.update(request, request.params.id, { enabled: false, nextRunAt: null }),
  }
}

function newColumns({ minutes = defaultMinutes, sirpURL, ...draft }: ScheduledQueryDraft, nowMs: number): Columns {
  checkAddress(sirpURL)
  const now = new Date(nowMs)
  return {
    ...settingsOf(draft),
    minutes,
    enabled: true,
    ...(sirpURL === undefined ? {} : { sirpUrl: sirpURL }),
    anchorAt: now,
    nextRunAt: new Date(firstSlot({ anchorMs: nowMs, minutes })),
    createdAt: now,
  }
}

/** The address is dialled later, through the egress guard; what it never could be is refused now. */
function checkAddress(sirpURL: string | undefined): void {
  if (sirpURL === undefined) return
  const url = URL.canParse(sirpURL) ? new URL(sirpURL) : null
  if (!url) throw invalidField('/sirpURL', 'must be an http or https address')
  if (url.username !== '' || url.password !== '') throw invalidField('/sirpURL', 'must not hold user information')
}

/** A new interval begins now; everything else leaves the slots as they are. */
function changes(row: ScheduleRow, { minutes = row.minutes, ...draft }: QueryDraft, nowMs: number): Partial<Columns> {
  if (minutes === row.minutes) return settingsOf(draft)
  const nextRunAt = row.enabled ? new Date(firstSlot({ anchorMs: nowMs, minutes })) : null
  return { ...settingsOf(draft), minutes, anchorAt: new Date(nowMs), nextRunAt }
}

function settingsOf({ query, ttl, metadata, summary, cleanup }: Omit<QueryDraft, 'minutes'>): Settings {
  return {
    query,
    ...(ttl === undefined ? {} : { ttl }),
    // Parsed from a JSON body, so it is JSON through and through.
    ...(metadata === undefined ? {} : { metadata: metadata as Prisma.InputJsonObject }),
    ...(summary === undefined ? {} : { summary }),
    ...(cleanup === undefined ? {} : { cleanup }),
  }
}

/** When a schedule that was disabled goes on; one that runs only once still does so, unless it has. */
function resumedAt({ anchorAt, minutes, lastRunAt }: ScheduleRow, nowMs: number): Date | null {
  const slot = nextSlot({ anchorMs: anchorAt.getTime(), minutes }, nowMs)
  if (slot !== null) return new Date(slot)
  return lastRunAt === null ? anchorAt : null
}

function present(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    queryId: row.id,
    query: row.query,
    minutes: row.minutes,
    enabled: row.enabled,
    ttl: row.ttl,
    // Only objects are ever written.
    metadata: row.metadata as Record<string, unknown> | null,
    summary: row.summary,
    cleanup: row.cleanup,
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
