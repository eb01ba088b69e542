import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, Instant, ListOf, MaybeInstant, OneOf, Page } from '../schemas.ts'
import { serviceNames } from '../services.ts'

const ServiceKey = OneOf(serviceNames, { description: 'Name of an internal service.' })

/** How well a service, or a part of it, does. */
export const Health = OneOf(['up', 'degraded', 'down'])

/** What a restart answers: how many processes are still restarting, and the ids of those that are back. */
export const Restart = Type.Object({
  service: OneOf(serviceNames),
  restarting: Type.Integer({ minimum: 0 }),
  restarted: Type.Array(Type.String(), { description: 'Ids of the processes that are back; filled with Prefer: wait.' }),
})
export type Restart = Static<typeof Restart>

/** The reply of every restart. */
export const restartReply = { status: 202, body: Restart } as const

/** How many jobs of a queue are in which state. */
export const QueueCounts = Type.Object({
  queue: Type.String(),
  waiting: Type.Integer({ minimum: 0 }),
  active: Type.Integer({ minimum: 0 }),
  delayed: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  oldestWaitMs: Type.Optional(Type.Integer({ minimum: 0, description: 'How long the job at the head of the line has waited; 0 where none waits.' })),
  paused: Type.Optional(Type.Boolean({ description: 'Whether workers are told to take no job of it.' })),
})
export type QueueCounts = Static<typeof QueueCounts>

/** A live process, as its heartbeat shows it. */
export const ServiceProcess = Type.Object({
  id: Type.String(),
  host: Type.String(),
  pid: Type.Integer({ minimum: 1 }),
  version: Type.String(),
  startedAt: Instant,
  heartbeatAt: Instant,
})

/** How a service does, process by process. */
export const ServiceStatus = Type.Object({
  service: OneOf(serviceNames),
  status: Health,
  processes: Type.Array(ServiceProcess),
  queues: Type.Array(QueueCounts),
  lastError: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String(), at: Instant })),
})
export type ServiceStatus = Static<typeof ServiceStatus>

/** The license under which a service is used; the community license covers whatever no other one does. */
export const ServiceLicense = Type.Object({
  service: OneOf(serviceNames),
  licensed: Type.Literal(true),
  plan: Type.String(),
  licensee: Type.String(),
  expiresAt: Type.With(MaybeInstant, { description: 'Null where the license does not expire.' }),
  source: OneOf(['community', 'license'], { description: 'The built-in community license, or one that was handed in.' }),
})
export type ServiceLicense = Static<typeof ServiceLicense>

/** What every restart says of itself. */
export const restarts =
  'Every process that hosts the service lets its running work end, builds that part of itself anew and says so; workers of one type do so one after another. ' +
  'Nothing accepted is lost. `Prefer: wait=N` answers 200 once all are back.'

/** The operations on the internal services. */
export const services = defineOperations({
  'sirp.service.restartAll': {
    method: 'POST',
    path: '/v1/sirp/restart',
    summary: 'Restart service',
    description: `Restarts the query processor. ${restarts}`,
    scope: 'ops:write',
    startsWork: true,
    reply: restartReply,
  },
  'sirp.service.restart': {
    method: 'POST',
    path: '/v1/sirp/services/:type/restart',
    summary: 'Restart a specific service',
    description: restarts,
    scope: 'ops:write',
    startsWork: true,
    params: Closed({ type: ServiceKey }),
    reply: restartReply,
  },
  'sirp.service.status': {
    method: 'GET',
    path: '/v1/sirp/services/:service/status',
    summary: 'Retrieve service status',
    scope: 'ops:read',
    params: Closed({ service: ServiceKey }),
    reply: { status: 200, body: ServiceStatus },
  },
  'sirp.service.statuses': {
    method: 'GET',
    path: '/v1/sirp/services/status',
    summary: 'Retrieve all service statuses',
    scope: 'ops:read',
    query: Page,
    reply: { status: 200, body: ListOf(ServiceStatus) },
  },
  'sirp.service.licenses': {
    method: 'GET',
    path: '/v1/sirp/services/license',
    summary: 'Retrieve all service license statuses',
    scope: 'ops:read',
    query: Page,
    reply: { status: 200, body: ListOf(ServiceLicense) },
  },
})
