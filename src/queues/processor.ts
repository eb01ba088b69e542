import type { JobName, jobs, PayloadOf, QueueName } from '../contract/queues.ts'
import type { Logger } from '../platform/logger.ts'

/** What a processor knows beside its payload. */
export interface JobFacts {
  readonly jobId: string
  /** How often it was begun, this time too. */
  readonly attempt: number
  /** Aborted at the deadline, at a cancel and at shutdown. */
  readonly signal: AbortSignal
  /** Whether the process takes no more jobs: what need not follow in this one is for others. */
  readonly isEnding: () => boolean
  readonly log: Logger
}

/** Does one kind of job. */
export type Processor<Name extends JobName> = (payload: PayloadOf<Name>, facts: JobFacts) => Promise<unknown>

/** One processor for every job of a queue: leave one out and the worker does not compile. */
export type ProcessorsOf<Q extends QueueName> = {
  readonly [Name in JobName as (typeof jobs)[Name]['queue'] extends Q ? Name : never]: Processor<Name>
}
