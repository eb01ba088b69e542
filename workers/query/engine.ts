import type { Transport } from '../../src/platform/egress/transport.ts'
import type { Problem } from '../../src/platform/errors.ts'
import type { Outside } from '../../src/query/outside.ts'
import type { House } from '../../src/services/house.ts'
import type { KeptFlight } from '../../src/services/krull/flights.ts'
import type { PolicyGate } from './outside/policyGate.ts'
import type { Leases } from './leases.ts'
import type { Parking } from './parking.ts'
import type { OpenScratch } from './scratch.ts'

/** What the jobs of a query process share. */
export interface Engine {
  readonly house: House
  readonly leases: Leases
  readonly parking: Parking
  readonly transport: Transport
  readonly openScratch: () => OpenScratch
  /** How many requests the process has under way at most. */
  readonly fetches: Gate
  /** Opens what the commands of one unit use of a browser, in processes that have browsers. */
  readonly openBrowsing?: () => Browsing
}

/** What the commands of one unit use of a browser; their runs come one after another. */
export interface Browsing {
  /** Browses by leave of the policies, in so many milliseconds at most. */
  with(gate: PolicyGate, deadlineMs: number): NonNullable<Outside['browse']>
  /** What the page of the last task did before it failed, without secrets; null where none was opened. */
  flight(problem: Problem, hide: (text: string) => string): Promise<KeptFlight | null>
  close(): void
}

/** Lets so many pass at once; the others wait in line. */
export class Gate {
  readonly #waiting: (() => void)[] = []
  #free: number

  readonly #width: number

  constructor(width: number) {
    this.#width = width
    this.#free = width
  }

  /** Whether as many wait as pass. */
  get isCrowded(): boolean {
    return this.#waiting.length >= this.#width
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Leaves the place of one who passes to others while he waits for something else. */
  async stepOut(wait: () => Promise<void>): Promise<void> {
    this.#leave()
    try {
      await wait()
    } finally {
      await this.#enter()
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((enter) => this.#waiting.push(enter))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
