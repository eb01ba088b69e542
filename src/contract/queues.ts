import { Type, type Static, type TObject } from 'typebox'

/** A lane of work with its own bounds. */
export interface Queue {
  /** Times that a job is tried after a surprise; expected failures are never tried again. */
  readonly attempts: number
  /** How long one job may take. */
  readonly deadlineMs: number
  /** How long a finished job stays visible. */
  readonly keepCompletedS: number
}

/** Every queue: one a worker process type. */
export const queues = {
  query: { attempts: 3, deadlineMs: 86_400_000, keepCompletedS: 600 },
  browser: { attempts: 1, deadlineMs: 86_400_000, keepCompletedS: 600 },
  export: { attempts: 5, deadlineMs: 300_000, keepCompletedS: 3_600 },
  almanac: { attempts: 3, deadlineMs: 300_000, keepCompletedS: 3_600 },
} as const satisfies Record<string, Queue>

export type QueueName = keyof typeof queues

interface JobRow {
  readonly queue: QueueName
  readonly summary: string
  /** What the job carries: ids, never secrets. */
  readonly payload: TObject
  /** How often it runs by itself, on one worker of the whole cluster. */
  readonly everyMs?: number
}

/** Every job by its wire name, which is never renamed: queued jobs carry it. */
export const jobs = {
  'query.run': {
    queue: 'query',
    summary: 'Takes a query on from where it stands: runs stages up to the next one that needs jobs of its own, or to the end',
    payload: Type.Object({ queryId: Type.String() }),
  },
  'query.expand': {
    queue: 'query',
    summary: 'Runs an expanding command for some input rows of its stage',
    payload: Type.Object({ queryId: Type.String(), stage: Type.Integer(), firstRow: Type.Integer() }),
  },
  'query.order': {
    queue: 'query',
    summary: 'Puts the rows of a finished stage in another order, for whoever reads them sorted',
    payload: Type.Object({ setId: Type.String(), key: Type.String(), descending: Type.Boolean() }),
  },
  'browser.run': {
    queue: 'browser',
    summary: 'Carries out one browser operation',
    payload: Type.Object({ jobId: Type.String() }),
  },
  'browser.expand': {
    queue: 'browser',
    summary: 'Runs an expanding command that needs a browser for some input rows of its stage',
    payload: Type.Object({ queryId: Type.String(), stage: Type.Integer(), firstRow: Type.Integer() }),
  },
  'almanac.remote': {
    queue: 'almanac',
    summary: 'Dispatches the query of a scheduled run to the instance that its schedule names',
    payload: Type.Object({ runId: Type.String() }),
  },
  'almanac.housekeeping': {
    queue: 'almanac',
    summary: 'Removes what has served its time, and seals anew what an earlier master key sealed',
    payload: Type.Object({}),
    everyMs: 600_000,
  },
} as const satisfies Record<string, JobRow>

export type JobName = keyof typeof jobs
export type PayloadOf<Name extends JobName> = Static<(typeof jobs)[Name]['payload']>

/** The rows as plain data, for whatever walks them all. */
export const jobList = Object.entries(jobs) as ReadonlyArray<readonly [JobName, JobRow]>
