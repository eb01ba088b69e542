import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed } from '../schemas.ts'
import { defaultMinutes, Schedule, scheduleFields, ScheduleId } from '../sirp/schedules.ts'

/** A scheduled query with the further fields that the create variants take. */
export const ScheduledQueryDraft = Closed({
  ...scheduleFields,
  minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 525_600,
      default: defaultMinutes,
      description: 'The interval; 0 runs the query once, at once.',
      explain: 'must be a whole number of minutes from 0 to 525600 (a year)',
    }),
  ),
  sirpURL: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$',
      description:
        'Address of the instance that runs the query, http or https, without user information; this one unless given. Its API key is the value of ' +
        'the `custom` credential that is named like the host of the address, with its port where it has one.',
      explain: 'must be an http or https address of up to 2048 characters',
    }),
  ),
  queryId: Type.Optional(
    Type.With(ScheduleId, { description: 'The id that the schedule shall have; one that is taken is a 409. A UUID is made unless given.' }),
  ),
})
export type ScheduledQueryDraft = Static<typeof ScheduledQueryDraft>

const create = {
  method: 'POST',
  summary: 'Create a scheduled query',
  description: `Runs at its creation plus each multiple of \`minutes\`, ${defaultMinutes} unless given; 0 runs it once, at once.`,
  scope: 'schedules:write',
  body: ScheduledQueryDraft,
  reply: { status: 201, body: Schedule, location: '/v1/sirp/schedules/:id' },
  example: { query: 'range 3', minutes: 15, queryId: 'every quarter of an hour' },
} as const

/** The two further ways to create a scheduled query. */
export const scheduleVariants = defineOperations({
  'almanac.schedule.create': { ...create, path: '/v1/almanac/schedules' },
  'schedules.schedule.create': { ...create, path: '/v1/schedules' },
})
