import { Problem, type ErrorCode } from '../../src/platform/errors.ts'
import type { House } from './house.ts'
import { listProcesses, readOwnBytes } from './processes.ts'

/** One browser of a pool, as system details show it. */
export interface BrowserDetails {
  readonly pid: number
  readonly version: string
  readonly path: string
  readonly sandbox: boolean
  readonly since: string
  /** Whether new jobs still begin in it. */
  readonly open: boolean
  readonly jobs: number
  readonly active: number
  readonly spares: number
  /** Memory of all its processes that they share with no other. */
  readonly memoryBytes: number
}

/** What went wrong lately. */
export interface PoolError {
  readonly at: string
  readonly code: ErrorCode
  readonly detail: string
}

/** A pool, as system details show it. */
export interface PoolDetails {
  readonly concurrency: number
  readonly active: number
  readonly waiting: number
  readonly done: number
  readonly failed: number
  /** False as soon as one browser runs without its sandbox. */
  readonly sandbox: boolean
  readonly browsers: readonly BrowserDetails[]
  readonly lastErrors: readonly PoolError[]
}

/** Describes browsers with the memory that they hold. */
export function describeHouses(houses: readonly House[]): BrowserDetails[] {
  const memory = groupMemory()
  return houses.filter(({ running }) => running.browser.connected).map((house) => ({
    pid: house.running.pid,
    version: house.running.version,
    path: house.running.binary.path,
    sandbox: house.running.sandbox,
    since: new Date(house.since).toISOString(),
    open: house.open,
    jobs: house.jobs,
    active: house.used,
    spares: house.ready,
    memoryBytes: memory(house.running.pid),
  }))
}

/** Tells how much memory a process group holds; all answers are of the processes that there are now. */
export function groupMemory(): (group: number) => number {
  const processes = listProcesses()
  return (wanted) => processes.reduce((sum, { pid, group }) => (group === wanted ? sum + readOwnBytes(pid) : sum), 0)
}

const mostErrors = 10

/** The last few errors of a pool. */
export class RecentErrors {
  readonly #errors: PoolError[] = []

  /** Newest first. */
  get list(): readonly PoolError[] {
    return this.#errors
  }

  /** Notes an error. */
  add(error: unknown): void {
    const problem = error instanceof Problem ? error : new Problem('internal', error instanceof Error ? error.message : String(error))
    this.#errors.unshift({ at: new Date().toISOString(), code: problem.code, detail: problem.message })
    this.#errors.length = Math.min(this.#errors.length, mostErrors)
  }
}
