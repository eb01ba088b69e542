import type { Transport } from '../../src/platform/egress/transport.ts'
import type { Problem } from '../../src/platform/errors.ts'
import type { Outside } from '../../src/query/outside.ts'
import type { House } from '../../src/services/house.ts'
import type { KeptFlight } from '../../src/services/krull/flights.ts'
import type { Gate } from './gate.ts'
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
