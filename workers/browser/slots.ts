import { EventEmitter } from 'node:events'
import puppeteer, { type Page } from 'puppeteer'
import { Cluster, type ClusterOptions } from 'puppeteer-cluster'
import type { WorkerInstance } from 'puppeteer-cluster/dist/concurrency/ConcurrencyImplementation.js'

/** Work for a slot; it must end by itself, and not fail. */
type Task = () => Promise<void>

interface Waiting {
  readonly task: Task
  begun: boolean
}

/**
 * The slots of a pool, kept by puppeteer-cluster. Left to itself a cluster dies for ever by one failed relaunch, so that it never sees
 * a browser here: a task gets its own from the pool. A cluster that leaves work lying nevertheless is replaced.
 */
export class Slots {
  readonly #size: number
  readonly #stuckMs: number
  readonly #waiting = new Set<Waiting>()
  #cluster: Promise<Cluster>
  #running = 0
  #begunAt = Date.now()
  #watch: NodeJS.Timeout

  constructor(size: number, stuckMs = 5_000) {
    this.#size = size
    this.#stuckMs = stuckMs
    this.#cluster = openCluster(size)
    this.#watch = setInterval(() => void this.#replaceStuck(), stuckMs).unref()
  }

  /** Tasks that run now, and tasks that wait. */
  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting.size }
  }

  /** Runs a task as soon as a slot is free. */
  run(task: Task): void {
    const waiting = { task, begun: false }
    if (this.#waiting.size === 0) this.#begunAt = Date.now()
    this.#waiting.add(waiting)
    void this.#hand(waiting)
  }

  /** Ends the cluster; tasks that run end by themselves. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    this.#waiting.clear()
    await (await this.#cluster).close()
  }

  async #hand(waiting: Waiting): Promise<void> {
    const cluster = await this.#cluster
    // The function is the data: a cluster writes data of its own into its debug lines.
    await cluster.execute(() => this.#perform(waiting)).catch(() => undefined)
  }

  async #perform(waiting: Waiting): Promise<void> {
    // A replaced cluster may still come round to a task that its successor has begun.
    if (waiting.begun || !this.#waiting.delete(waiting)) return
    waiting.begun = true
    this.#begunAt = Date.now()
    this.#running += 1
    try {
      await waiting.task()
    } finally {
      this.#running -= 1
    }
  }

  async #replaceStuck(): Promise<void> {
    const stuck = this.#waiting.size > 0 && this.#running < this.#size && Date.now() - this.#begunAt > this.#stuckMs
    if (!stuck) return
    const old = this.#cluster
    this.#cluster = openCluster(this.#size)
    this.#begunAt = Date.now()
    for (const waiting of this.#waiting) void this.#hand(waiting)
    await (await old).close()
  }
}

function openCluster(size: number): Promise<Cluster> {
  // The cluster's own base class adds two fields to these methods, for launching browsers.
  const concurrency = SlotsOnly as unknown as ClusterOptions['concurrency']
  return Cluster.launch({ concurrency, maxConcurrency: size, retryLimit: 0, timeout: 0x7fffffff, puppeteer, monitor: false })
}

const nothing = (): Promise<void> => Promise.resolve()

/** Gives the cluster slots without browsers; nothing here can fail. */
class SlotsOnly {
  init = nothing
  close = nothing

  workerInstance(): Promise<WorkerInstance> {
    // The cluster listens to it for errors, and does nothing else with it.
    const standIn = (): Page => new EventEmitter() as unknown as Page
    const jobInstance = () => Promise.resolve({ resources: { page: standIn() }, close: nothing })
    return Promise.resolve({ jobInstance, close: nothing, repair: nothing })
  }
}
