import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Instant, ListOf, Page } from '../schemas.ts'
import { Health, QueueCounts, restartReply, restarts, ServiceProcess } from '../sirp/services.ts'

const Count = Type.Integer({ minimum: 0 })

/** A device that can be emulated. */
export const Device = Type.Object({
  name: Type.String(),
  userAgent: Type.String(),
  viewport: Type.Object({
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    deviceScaleFactor: Type.Number(),
    isMobile: Type.Boolean(),
    hasTouch: Type.Boolean(),
    isLandscape: Type.Boolean(),
  }),
})
export type Device = Static<typeof Device>

const RunningBrowser = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  version: Type.String({ description: 'Product and version.' }),
  path: Type.String({ description: 'The program.' }),
  sandbox: Type.Boolean(),
  since: Instant,
  open: Type.Boolean({ description: 'Whether new jobs begin in it; one that grows old only brings its jobs to an end.' }),
  jobs: Type.Integer({ minimum: 0, description: 'Jobs that began in it.' }),
  active: Count,
  spares: Type.Integer({ minimum: 0, description: 'Pages that stand ready.' }),
  memoryBytes: Type.Integer({ minimum: 0, description: 'Memory of all its processes that they share with no other.' }),
})

const BrowserWorker = Type.Object({
  ...ServiceProcess.properties,
  concurrency: Type.Integer({ minimum: 0 }),
  room: Type.Integer({ minimum: 1, description: 'Jobs that it takes at once for now: fewer than `concurrency` while the machine is short of something.' }),
  short: Type.Union([Type.Literal('memory'), Type.Literal('cpu'), Type.Null()], { description: 'What the machine is short of.' }),
  active: Type.Integer({ minimum: 0, description: 'Jobs that it holds now.' }),
  waiting: Type.Integer({ minimum: 0, description: 'Jobs that wait for a free place in it.' }),
  done: Type.Integer({ minimum: 0, description: 'Jobs that ended well since it started.' }),
  failed: Type.Integer({ minimum: 0, description: 'Jobs that failed since it started.' }),
  memoryBytes: Type.Integer({ minimum: 0, description: 'Memory of the process itself.' }),
  browser: Type.Union([Type.String(), Type.Null()], { description: 'Product and version of the browser; null while none runs.' }),
  sandboxed: Type.Boolean({ description: 'Whether pages run in the sandbox of the browser.' }),
  browsers: Type.Array(RunningBrowser, { description: 'Its browsers, the present one first.' }),
})

/** How the browser workers are. */
export const BrowserSystem = Type.Object({
  status: Health,
  active: Type.Integer({ minimum: 0, description: 'Jobs that all workers hold now.' }),
  workers: Type.Array(BrowserWorker),
  queue: QueueCounts,
  errors: Type.Object({
    total: Count,
    recent: Type.Array(Type.Object({ at: Instant, code: Type.String(), detail: Type.String() }), { description: 'Newest first.' }),
  }),
})
export type BrowserSystem = Static<typeof BrowserSystem>

/** The operations about the browser service itself. */
export const krullSystem = defineOperations({
  'krull.device.list': {
    method: 'GET',
    path: '/v1/krull/devices',
    summary: 'List of devices',
    description: 'Devices that can be emulated, with their viewports.',
    scope: 'browser:run',
    query: Page,
    reply: { status: 200, body: ListOf(Device) },
  },
  'krull.system.read': {
    method: 'GET',
    path: '/v1/krull/system',
    summary: 'System details',
    description: 'Health, active workers with their browsers, memory and sandbox, and recent errors of the browser service.',
    scope: 'ops:read',
    reply: { status: 200, body: BrowserSystem },
  },
  'krull.service.restart': {
    method: 'POST',
    path: '/v1/krull/restart',
    summary: 'Restart service',
    description: restarts,
    scope: 'ops:write',
    startsWork: true,
    reply: restartReply,
  },
})
