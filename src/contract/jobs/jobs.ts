import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { queues, type QueueName } from '../queues.ts'
import { Closed, Instant, ListOf, MaybeInstant, OneOf, paging } from '../schemas.ts'

/** The states of a job in its queue. */
export const jobStates = ['waiting', 'active', 'delayed', 'prioritized', 'completed', 'failed'] as const

const JobState = OneOf(jobStates)
/** A browser job can be cancelled, which its queue knows nothing of. */
const SeenState = OneOf([...jobStates, 'cancelled', 'unknown'])
// The keys of an object literal are exactly its own.
const queueNames = Object.keys(queues) as QueueName[]

/** A queue in a path. */
export const QueueKey = Type.String({ minLength: 1, maxLength: 100, description: 'Name of a queue.' })

/** A job as its queue holds it. */
export const Job = Type.Object({
  id: Type.String(),
  queue: Type.String(),
  name: Type.String(),
  state: SeenState,
  attempts: Type.Integer({ minimum: 0 }),
  createdAt: Instant,
  startedAt: MaybeInstant,
  finishedAt: MaybeInstant,
  result: Type.Optional(Type.Unknown({ description: 'What a completed job answered.' })),
  error: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
  flight: Type.Optional(Type.String({ description: 'Where it can be read what the page of a failed browser job did last.' })),
})
export type Job = Static<typeof Job>

/** A job in a path. */
export const ByJob = Closed({ queue: QueueKey, id: Type.String({ minLength: 1, maxLength: 1000 }) })

/** The operations on single jobs of the queues. */
export const jobs = defineOperations({
  'jobs.job.list': {
    method: 'GET',
    path: '/v1/jobs',
    summary: 'Retrieve jobs',
    description: 'Queue by queue and state by state, newest first in each.',
    scope: 'ops:read',
    origin: 'beyond',
    query: Closed({ ...paging, queue: Type.Optional(OneOf(queueNames)), state: Type.Optional(JobState) }),
    reply: { status: 200, body: ListOf(Job) },
  },
  'jobs.job.read': {
    method: 'GET',
    path: '/v1/jobs/:queue/:id',
    summary: 'Retrieve a job',
    description: 'A browser operation sent with `Prefer: respond-async` leaves its answer in `result`.',
    scope: 'ops:read',
    ownScope: 'browser:run',
    origin: 'beyond',
    params: ByJob,
    reply: { status: 200, body: Job },
  },
  'jobs.job.delete': {
    method: 'DELETE',
    path: '/v1/jobs/:queue/:id',
    summary: 'Delete a job',
    description:
      'A browser operation that waits or runs is cancelled, and can still be read; one that has ended is removed with its answer. ' +
      'Any other job that a worker holds is a 409.',
    scope: 'ops:write',
    ownScope: 'browser:run',
    origin: 'beyond',
    params: ByJob,
    reply: { status: 204 },
  },
  'jobs.job.retry': {
    method: 'POST',
    path: '/v1/jobs/:queue/:id/retry',
    summary: 'Retry a job',
    description: 'Puts a failed job back into its queue; any other state is a 409.',
    scope: 'ops:write',
    ownScope: 'browser:run',
    origin: 'beyond',
    startsWork: true,
    params: ByJob,
    reply: { status: 202, body: Job, location: '/v1/jobs/:queue/:id' },
  },
})
