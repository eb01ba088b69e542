import type { Transport } from '../../src/platform/egress/transport.ts'
import type { House } from '../../src/services/house.ts'
import type { Leases } from './leases.ts'
import type { OpenScratch } from './scratch.ts'

/** What the jobs of a query process share. */
export interface Engine {
  readonly house: House
  readonly leases: Leases
  readonly transport: Transport
  readonly openScratch: () => OpenScratch
  /** How many requests the process has under way at most. */
  readonly fetches: Gate
}

/** Lets so many pass at once; the others wait in line. */
export class Gate {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(width: number) {
    this.#free = width
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((enter) => this.#waiting.push(enter))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
