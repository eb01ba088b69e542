import type { Job, Worker } from 'bullmq'
import type { Logger } from '../../src/platform/logger.ts'

/** The function that a worker calls for each job. */
export type Perform = (job: Job, token: string | undefined, signal: AbortSignal | undefined) => Promise<unknown>

/** How a worker is opened, and what is known of its queue. */
export interface WatchedQueue {
  readonly concurrency: number
  readonly perform: Perform
  readonly open: (perform: Perform) => Worker
  /** Jobs that any worker could take now; throws while Redis is away. */
  readonly countWaiting: () => Promise<number>
  /** A new worker was of no use either. */
  readonly onHopeless: () => void
  readonly log: Logger
  readonly lookEveryMs?: number
}

const usualLookMs = 5_000
/** Looks in a row at which jobs waited and none was fetched, before that counts as stuck. */
const looksUntilStuck = 3

/** A worker that is replaced when it fetches nothing although jobs wait and it has room for them. */
export class WatchedWorker {
  readonly #queue: WatchedQueue
  readonly #timer: NodeJS.Timeout
  #worker: Worker
  #running = 0
  #room: number
  /** Jobs at once of which the worker surely knows: it hears of more only when a job begins or ends. */
  #knownRoom: number
  #fetched = false
  #idleLooks = 0
  #replaced = false
  #looking = false

  constructor(queue: WatchedQueue) {
    this.#queue = queue
    this.#room = queue.concurrency
    this.#knownRoom = queue.concurrency
    this.#worker = queue.open(this.#perform)
    this.#timer = setInterval(() => void this.#look(), queue.lookEveryMs ?? usualLookMs).unref()
  }

  /** The worker of the moment. */
  get worker(): Worker {
    return this.#worker
  }

  /** Jobs that it holds now. */
  get running(): number {
    return this.#running
  }

  /** Lets it take so many jobs at once from now on; those that run beyond that come to their end. */
  limit(jobs: number): void {
    this.#room = jobs
    this.#knownRoom = Math.min(this.#knownRoom, jobs)
    this.#worker.concurrency = jobs
  }

  /** Ends the watch; the worker goes on. */
  stopWatching(): void {
    clearInterval(this.#timer)
  }

  readonly #perform: Perform = async (job, token, signal) => {
    this.#fetched = true
    this.#knownRoom = this.#room
    this.#running += 1
    try {
      return await this.#queue.perform(job, token, signal)
    } finally {
      this.#running -= 1
      this.#knownRoom = this.#room
    }
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    const isIdle = await this.#isIdle().catch(() => false) // without Redis nobody could fetch anything
    this.#looking = false
    if (this.#fetched) this.#replaced = false
    this.#fetched = false
    this.#idleLooks = isIdle ? this.#idleLooks + 1 : 0
    if (this.#idleLooks >= looksUntilStuck) this.#replace()
  }

  async #isIdle(): Promise<boolean> {
    if (this.#fetched || this.#running >= this.#knownRoom) return false
    return (await this.#queue.countWaiting()) > 0 && !this.#fetched
  }

  /** Jobs that the old worker has under way come to their end; what it can no longer tell Redis is found by the reconciler. */
  #replace(): void {
    const { log, open, onHopeless } = this.#queue
    this.#idleLooks = 0
    if (this.#replaced) {
      this.stopWatching()
      log.error('a new worker does not fetch jobs either, so the process ends')
      return onHopeless()
    }
    log.warn('jobs wait and the worker fetches none, so a new one takes its place')
    this.#replaced = true
    const old = this.#worker
    this.#worker = open(this.#perform)
    this.#worker.concurrency = this.#room
    old.close(true).catch((err: unknown) => log.debug({ err }, 'a worker that was replaced did not close'))
  }
}
