import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, FreeObject, Instant, Label, ListOf, MaybeInstant, OneOf, Page, Uuid, Version } from '../schemas.ts'
import { queryFields } from './queryDraft.ts'

/** The id of a schedule: a UUID, or whatever was wished for when it was created. */
export const ScheduleId = Type.With(Label, {
  maxLength: 250,
  description: 'The id of the schedule.',
  explain: 'must have 1 to 250 characters without control characters, and must not be blank, consist of dots only, or begin or end with a space',
})

/** How often a schedule runs where its body does not say. */
export const defaultMinutes = 60

/** What happens to a slot while an earlier run has not ended. */
export const overlaps = ['skip', 'queue'] as const

/** The fields of every body that makes or changes a schedule. */
export const scheduleFields = {
  ...queryFields,
  values: Type.Optional(
    Type.With(FreeObject, {
      description: 'Makes `query` a template (its text, or the id or name of a stored one), which is filled with these values at each run.',
    }),
  ),
  overlap: Type.Optional(
    OneOf(overlaps, {
      default: 'skip',
      description: 'What happens to a slot while an earlier run has not ended: it is recorded as skipped, or its query is queued all the same.',
    }),
  ),
} as const

/** A schedule to be made. */
export const ScheduleDraft = Closed(scheduleFields)
export type ScheduleDraft = Static<typeof ScheduleDraft>

const maybe = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()])

/** A schedule as it is answered. */
export const Schedule = Type.Object({
  id: Type.String(),
  queryId: Type.String({ description: 'The id once more, under the name that bodies give it.' }),
  query: Type.String(),
  minutes: Type.Integer({ minimum: 0 }),
  enabled: Type.Boolean(),
  ttl: maybe(Type.Integer()),
  metadata: maybe(FreeObject),
  summary: maybe(Type.Boolean()),
  cleanup: maybe(Type.Boolean()),
  values: Type.Optional(Type.With(FreeObject, { description: 'Only where the query is a template.' })),
  overlap: OneOf(overlaps),
  sirpURL: Type.Optional(Type.String()),
  nextRunAt: Type.With(MaybeInstant, { description: 'Null while it is disabled, and after the one run of a schedule of 0 minutes.' }),
  lastRunAt: MaybeInstant,
  lastQueryId: maybe(Uuid),
  lastStatus: Type.With(maybe(Type.String()), {
    description:
      'The state of the last query; `failed` where it could not be started, `dispatched` where another instance has just taken it, ' +
      '`deleted` where it is gone, `lost` where that instance has told nothing for an hour.',
  }),
  runs: Type.Object({
    fired: Type.Integer({ description: 'Runs that were started.' }),
    skipped: Type.Integer({ description: 'Slots without a run: one that was missed, or an earlier run that had not ended.' }),
    failed: Type.Integer({ description: 'Runs that could not be started, or whose query failed or ran out of time.' }),
  }),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
})
export type Schedule = Static<typeof Schedule>

const interval = `\`minutes\` is the interval, ${defaultMinutes} unless given; 0 runs the query once, at once.`
const keeps = 'Fields that are left out keep their values. Another interval is counted from now on; the same one keeps its slots.'

const example = { query: 'range 3', minutes: 15 }

/** The path of whatever belongs to one schedule. */
export const ByScheduleId = Closed({ id: ScheduleId })

/** The operations on scheduled queries. */
export const schedules = defineOperations({
  'sirp.schedule.list': {
    method: 'GET',
    path: '/v1/sirp/schedules',
    summary: 'Retrieve all scheduled queries',
    scope: 'schedules:read',
    query: Page,
    reply: { status: 200, body: ListOf(Schedule) },
  },
  'sirp.schedule.create': {
    method: 'POST',
    path: '/v1/sirp/schedules',
    summary: 'Add a scheduled query',
    description:
      `${interval} It runs at its creation plus each multiple of the interval, and takes no rows from the cache. A query with faults is ` +
      'a 422 `query_syntax`.',
    scope: 'schedules:write',
    body: ScheduleDraft,
    reply: { status: 201, body: Schedule, location: '/v1/sirp/schedules/:id' },
    example,
  },
  'sirp.schedule.update': {
    method: 'PUT',
    path: '/v1/sirp/schedules',
    summary: 'Update a scheduled query',
    description: `\`queryId\` names the schedule. ${keeps}`,
    scope: 'schedules:write',
    body: Closed({ ...scheduleFields, queryId: ScheduleId }),
    reply: { status: 200, body: Schedule },
    example: { ...example, queryId: 'every quarter of an hour' },
  },
  'sirp.schedule.read': {
    method: 'GET',
    path: '/v1/sirp/schedules/:id',
    summary: 'Retrieve a scheduled query',
    scope: 'schedules:read',
    params: ByScheduleId,
    reply: { status: 200, body: Schedule },
  },
  'sirp.schedule.updateById': {
    method: 'PUT',
    path: '/v1/sirp/schedules/:id',
    summary: 'Update the scheduled query of an id',
    description: `${keeps} \`queryId\`, where given, is the id of the path.`,
    scope: 'schedules:write',
    origin: 'beyond',
    params: ByScheduleId,
    body: Closed({ ...scheduleFields, queryId: Type.Optional(ScheduleId) }),
    reply: { status: 200, body: Schedule },
    example,
  },
  'sirp.schedule.delete': {
    method: 'DELETE',
    path: '/v1/sirp/schedules/:id',
    summary: 'Delete a scheduled query',
    scope: 'schedules:write',
    params: ByScheduleId,
    reply: { status: 204 },
  },
  'sirp.schedule.enable': {
    method: 'POST',
    path: '/v1/sirp/schedules/:id/enable',
    summary: 'Enable a scheduled query',
    description: 'It goes on in its old slots: the next run is the first of them that lies ahead.',
    scope: 'schedules:write',
    params: ByScheduleId,
    reply: { status: 200, body: Schedule },
  },
  'sirp.schedule.disable': {
    method: 'POST',
    path: '/v1/sirp/schedules/:id/disable',
    summary: 'Disable a scheduled query',
    description: 'It does not run until it is enabled again; a run that has begun goes on.',
    scope: 'schedules:write',
    params: ByScheduleId,
    reply: { status: 200, body: Schedule },
  },
})
