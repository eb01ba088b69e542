import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ListOf, Page } from '../schemas.ts'
import { ServiceProcess } from '../sirp/services.ts'

/** A live process of the cluster and how busy it is. */
export const Worker = Type.Object({
  ...ServiceProcess.properties,
  service: Type.String({ description: 'What the process does, as in the Procfile.' }),
  concurrency: Type.Integer({ minimum: 0, description: 'How many jobs it takes at once.' }),
  load: Type.Number({ minimum: 0, description: 'Jobs that it holds now, as a share of its concurrency.' }),
})
export type Worker = Static<typeof Worker>

/** How much work of one type waits for workers. */
export const Demand = Type.Object({
  type: Type.String({ description: 'The process type that does the work, as in the Procfile.' }),
  processes: Type.Integer({ minimum: 0, description: 'Live processes of this type.' }),
  concurrency: Type.Integer({ minimum: 0, description: 'Jobs that they take at once, all together.' }),
  waiting: Type.Integer({ minimum: 0, description: 'Jobs that could begin now.' }),
  active: Type.Integer({ minimum: 0 }),
  oldestWaitMs: Type.Integer({ minimum: 0 }),
  jobSeconds: Type.Number({ minimum: 0, description: 'What a job has taken lately; 1 where none has ended yet.' }),
  workerSeconds: Type.Number({ minimum: 0, description: 'How long one process would need for what waits.' }),
})
export type Demand = Static<typeof Demand>

/** The operations on the processes of the cluster. */
export const workers = defineOperations({
  'workers.worker.list': {
    method: 'GET',
    path: '/v1/workers',
    summary: 'Retrieve workers',
    description: 'Every live process.',
    scope: 'ops:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(Worker) },
  },
  'workers.demand.list': {
    method: 'GET',
    path: '/v1/workers/demand',
    summary: 'Retrieve the demand for workers',
    description: 'Work that waits, in seconds of one worker process, by process type: what an autoscaler goes by.',
    scope: 'ops:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(Demand) },
  },
})
