import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, ListOf, Page } from '../schemas.ts'
import { QueueCounts } from '../sirp/services.ts'
import { QueueKey } from './jobs.ts'

/** What a replay has put back. */
export const Replay = Type.Object({ queue: Type.String(), replayed: Type.Integer({ minimum: 0, description: 'Failed jobs that stand in line again.' }) })
export type Replay = Static<typeof Replay>

const ByQueue = Closed({ queue: QueueKey })

/** The operations on whole queues. */
export const jobQueues = defineOperations({
  'jobs.queue.list': {
    method: 'GET',
    path: '/v1/jobs/queues',
    summary: 'Retrieve queues',
    scope: 'ops:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(QueueCounts) },
  },
  'jobs.queue.pause': {
    method: 'POST',
    path: '/v1/jobs/:queue/pause',
    summary: 'Pause a queue',
    description: 'Workers take no further job of it; jobs that they hold go on, and new ones wait.',
    scope: 'ops:write',
    origin: 'beyond',
    params: ByQueue,
    reply: { status: 200, body: QueueCounts },
  },
  'jobs.queue.resume': {
    method: 'POST',
    path: '/v1/jobs/:queue/resume',
    summary: 'Resume a queue',
    scope: 'ops:write',
    origin: 'beyond',
    params: ByQueue,
    reply: { status: 200, body: QueueCounts },
  },
  'jobs.queue.drain': {
    method: 'POST',
    path: '/v1/jobs/:queue/drain',
    summary: 'Drain a queue',
    description: 'Pauses it and lets the jobs end that workers hold; what waits stays in line until the queue is resumed. `Prefer: wait=N` answers 200 once no worker holds a job.',
    scope: 'ops:write',
    origin: 'beyond',
    params: ByQueue,
    reply: { status: 202, body: QueueCounts },
  },
  'jobs.queue.replay': {
    method: 'POST',
    path: '/v1/jobs/:queue/replay',
    summary: 'Replay the dead letters of a queue',
    description: 'Puts every failed job of the queue back in line.',
    scope: 'ops:write',
    origin: 'beyond',
    startsWork: true,
    params: ByQueue,
    reply: { status: 200, body: Replay },
  },
})
