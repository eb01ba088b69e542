import type { ScheduledQueryDraft } from '../../contract/almanac/schedules.ts'
import { defaultMinutes, type Schedule, type ScheduleDraft } from '../../contract/sirp/schedules.ts'
import { invalidField, Problem } from '../../platform/errors.ts'
import type { Prisma, Schedule as ScheduleRow } from '../../platform/prisma/generated/client.ts'
import { firstSlot, nextSlot } from '../almanac/slots.ts'
import { understandSchedule } from '../almanac/understand.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'
import { presentSchedule, scheduleNoun, storedSchedules, valuesOf } from './scheduleRecords.ts'

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
  readonly templateValues?: Prisma.InputJsonObject
  readonly overlap?: string
}

interface Columns extends Settings {
  readonly minutes: number
  readonly enabled: boolean
  readonly sirpUrl?: string
  readonly apiKeyId: string
  readonly anchorAt: Date
  readonly nextRunAt: Date | null
  readonly createdAt: Date
}

/** Scheduled queries: what runs again and again by itself. */
export function scheduleHandlers(house: House): HandlersOf<Ids> {
  const schedules = new Records<ScheduleRow, Columns, Schedule>(house, {
    noun: scheduleNoun,
    key: 'id',
    table: (connection) => connection.schedule,
    stored: storedSchedules,
    present: presentSchedule,
  })
  const taken = (id: string): string => `There is a scheduled query ${JSON.stringify(id)} already; update that one or choose another queryId.`
  const create = async (request: RequestFacts & { body: ScheduledQueryDraft }) => {
    const { queryId: id = request.newId, sirpURL, query, values } = request.body
    checkAddress(sirpURL, values)
    await understandSchedule(house, { query, values: values ?? null, sirpUrl: sirpURL ?? null })
    return schedules.create(request, newColumns(request.body, request.caller.keyId, house.clock()), taken(id), id)
  }
  const update = async (request: RequestFacts, id: string, draft: ScheduleDraft) => {
    const stored = await schedules.find(id)
    const { query, values = valuesOf(stored) } = draft
    if (stored.sirpUrl !== null) checkAddress(stored.sirpUrl, draft.values)
    await understandSchedule(house, { query, values, sirpUrl: stored.sirpUrl })
    return schedules.update(request, id, (row) => changes(row, draft, house.clock()))
  }

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

function newColumns({ minutes = defaultMinutes, sirpURL, ...draft }: ScheduledQueryDraft, apiKeyId: string, nowMs: number): Columns {
  const now = new Date(nowMs)
  return {
    ...settingsOf(draft),
    minutes,
    enabled: true,
    ...(sirpURL === undefined ? {} : { sirpUrl: sirpURL }),
    apiKeyId,
    anchorAt: now,
    nextRunAt: new Date(firstSlot({ anchorMs: nowMs, minutes })),
    createdAt: now,
  }
}

/** The address is dialled later, through the egress guard; what it never could be is refused now. */
function checkAddress(sirpURL: string | undefined, values: object | undefined): void {
  if (sirpURL === undefined) return
  const url = URL.canParse(sirpURL) ? new URL(sirpURL) : null
  if (!url) throw invalidField('/sirpURL', 'must be an http or https address')
  if (url.username !== '' || url.password !== '') throw invalidField('/sirpURL', 'must not hold user information')
  if (values !== undefined) throw new Problem('unprocessable', 'Values cannot be sent to another instance: use runTemplate in the query, or leave out sirpURL.')
}

/** A new interval begins now; everything else leaves the slots as they are. */
function changes(row: ScheduleRow, { minutes = row.minutes, ...draft }: ScheduleDraft, nowMs: number): Partial<Columns> {
  if (minutes === row.minutes) return settingsOf(draft)
  const nextRunAt = row.enabled ? new Date(firstSlot({ anchorMs: nowMs, minutes })) : null
  return { ...settingsOf(draft), minutes, anchorAt: new Date(nowMs), nextRunAt }
}

function settingsOf({ query, ttl, metadata, summary, cleanup, values, overlap }: Omit<ScheduleDraft, 'minutes'>): Settings {
  return {
    query,
    ...(ttl === undefined ? {} : { ttl }),
    // Parsed from a JSON body, so these are JSON through and through.
    ...(metadata === undefined ? {} : { metadata: metadata as Prisma.InputJsonObject }),
    ...(summary === undefined ? {} : { summary }),
    ...(cleanup === undefined ? {} : { cleanup }),
    ...(values === undefined ? {} : { templateValues: values as Prisma.InputJsonObject }),
    ...(overlap === undefined ? {} : { overlap }),
  }
}

/** When a schedule that was disabled goes on; one that runs only once still does so, unless it has. */
function resumedAt({ anchorAt, minutes, lastRunAt }: ScheduleRow, nowMs: number): Date | null {
  const slot = nextSlot({ anchorMs: anchorAt.getTime(), minutes }, nowMs)
  if (slot !== null) return new Date(slot)
  return lastRunAt === null ? anchorAt : null
}
