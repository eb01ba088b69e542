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
})
