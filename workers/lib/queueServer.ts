import { DelayedError, WaitingError, type Worker } from 'bullmq'
import type { QueueName } from '../../src/contract/queues.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import { Shutdown } from '../../src/platform/shutdown.ts'
import type { ProcessorsOf } from '../../src/queues/processor.ts'
import type { House } from '../../src/services/house.ts'
import { queueOf } from '../../src/services/queuesOf.ts'
import { noteError } from '../../src/services/workers/lastErrors.ts'
import { metersOf } from '../../src/services/workers/meters.ts'
import { drain } from './drain.ts'
import { performJobs, type AnyProcessor } from './performJobs.ts'
import { WatchedWorker, type Perform } from './watchedWorker.ts'

/** Opens the processors of a queue; `limit` says how many jobs are taken at once from then on. */
export type OpenProcessors<Q extends QueueName> = (house: House, shutdown: Shutdown, limit: (jobs: number) => void) => Promise<ProcessorsOf<Q>>

/** What a queue server is made of. */
export interface QueueParts<Q extends QueueName> {
  readonly queue: Q
  readonly house: House
  readonly concurrency: number
  /** Opens what the jobs need; it is closed by the steps that it registers. */
  readonly open: OpenProcessors<Q>
  readonly startWorker: (perform: Perform) => Worker
  /** Called when the process is of no more use. */
  readonly onHopeless: () => void
}

/** The service whose work a queue carries. */
const serviceOf: Readonly<Record<QueueName, ServiceName>> = { query: 'sirp', browser: 'krull', export: 'mentos', almanac: 'almanac' }

/** How much of the mean time of a job its last one makes up. */
const weight = 0.05

/** The part of a worker process that serves its queue: it can be drained and built anew while the process lives. */
export class QueueServer<Q extends QueueName> {
  readonly #parts: QueueParts<Q>
  #scope: Shutdown | undefined
  #watched: WatchedWorker | undefined
  #rebuilding: Promise<void> = Promise.resolve()
  #closed = false
  #jobMs: number | null = null
  #room: number

  constructor(parts: QueueParts<Q>) {
    this.#parts = parts
    this.#room = parts.concurrency
  }

  /** Jobs that it holds now. */
  get running(): number {
    return this.#watched?.running ?? 0
  }

  /** What a job has taken lately; null where none has ended yet. */
  get jobMs(): number | null {
    return this.#jobMs
  }

  async open(): Promise<void> {
    const { queue, house, concurrency, open, startWorker, onHopeless } = this.#parts
    const scope = new Shutdown(house.log)
    this.#scope = scope
    const processors = (await open(house, scope, (jobs) => this.#limit(jobs))) as Readonly<Record<string, AnyProcessor>> // performJobs checks each payload
    this.#watched = new WatchedWorker({
      concurrency,
      perform: this.#metered(performJobs(queue, processors, house.log, () => this.#scope !== scope)),
      open: startWorker,
      countWaiting: () => this.#countWaiting(),
      onHopeless,
      log: house.log,
    })
    this.#watched.limit(this.#room)
    await this.#watched.worker.waitUntilReady()
  }

  /** Takes no more jobs, lets those end that it holds, and closes what they needed. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#rebuilding.catch(() => undefined)
    await this.#end()
  }

  /** Drains, closes and opens anew; `between` runs while nothing is open. */
  rebuild(between: () => Promise<void>): Promise<void> {
    this.#rebuilding = this.#rebuild(between)
    return this.#rebuilding
  }

  async #rebuild(between: () => Promise<void>): Promise<void> {
    if (this.#closed) return
    await this.#end()
    await between()
    if (!this.#closed) await this.open()
  }

  async #end(): Promise<void> {
    const [watched, scope] = [this.#watched, this.#scope]
    this.#watched = undefined
    this.#scope = undefined
    watched?.stopWatching()
    if (watched) await drain(watched.worker, this.#parts.house.redis)
    await scope?.run()
  }

  #limit(jobs: number): void {
    this.#room = jobs
    this.#watched?.limit(jobs)
  }

  /** A queue that is paused keeps its jobs waiting on purpose. */
  async #countWaiting(): Promise<number> {
    const queue = queueOf(this.#parts.house, this.#parts.queue)
    const count = await queue.getJobCountByTypes('wait', 'prioritized')
    return count > 0 && (await queue.isPaused()) ? 0 : count
  }

  #metered(perform: Perform): Perform {
    const { house, queue } = this.#parts
    const { jobs, jobSeconds } = metersOf(house)
    return async (job, token, signal) => {
      const started = performance.now()
      let outcome = 'done'
      try {
        return await perform(job, token, signal)
      } catch (error) {
        outcome = error instanceof WaitingError || error instanceof DelayedError ? 'back' : 'failed'
        if (outcome === 'failed') noteError(house, serviceOf[queue], 'internal', `The job ${job.name} failed: ${error instanceof Error ? error.message : String(error)}`)
        throw error
      } finally {
        const ms = performance.now() - started
        this.#jobMs = this.#jobMs === null ? ms : this.#jobMs + (ms - this.#jobMs) * weight
        jobs.inc({ job: job.name, outcome })
        jobSeconds.observe({ job: job.name }, ms / 1000)
      }
    }
  }
}
