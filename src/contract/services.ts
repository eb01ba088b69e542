/** The internal services, by the names that the status and restart operations use. */
export const serviceNames = ['gonogo', 'sirp', 'secrets', 'licorice', 'workers', 'jobs', 'mentos', 'screenshot', 'krull', 'almanac'] as const

export type ServiceName = (typeof serviceNames)[number]

/** The types of processes, which are the lines of the Procfile: the API, and one a queue. */
export const processTypes = ['api', 'query', 'browser', 'export', 'almanac'] as const

export type ProcessType = (typeof processTypes)[number]

/** Where a service lives. */
export interface Hosting {
  /** Processes that hold a part of it: they are shown by its status, and its restart builds that part anew. */
  readonly hosts: readonly ProcessType[]
  /** Processes without which it does not do all its work. */
  readonly needs: readonly ProcessType[]
  /** Queues that carry its work. */
  readonly queues: ReadonlyArray<Exclude<ProcessType, 'api'>>
}

const workers = ['query', 'browser', 'export', 'almanac'] as const

/** Where each service lives. */
export const hosting: Readonly<Record<ServiceName, Hosting>> = {
  gonogo: { hosts: ['api', 'query', 'browser'], needs: ['api'], queues: [] },
  sirp: { hosts: ['api', 'query'], needs: ['api', 'query'], queues: ['query'] },
  secrets: { hosts: ['api'], needs: ['api'], queues: [] },
  licorice: { hosts: ['api'], needs: ['api'], queues: [] },
  workers: { hosts: workers, needs: workers, queues: workers },
  jobs: { hosts: processTypes, needs: ['api'], queues: workers },
  mentos: { hosts: ['api', 'export'], needs: ['api', 'export'], queues: ['export'] },
  screenshot: { hosts: ['api', 'browser'], needs: ['api', 'browser'], queues: ['browser'] },
  krull: { hosts: ['browser'], needs: ['browser'], queues: ['browser'] },
  almanac: { hosts: ['almanac'], needs: ['almanac'], queues: ['almanac'] },
}
