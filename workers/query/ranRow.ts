import type { KeptFlight } from '../../src/services/krull/flights.ts'
import type { MustWait } from './mustWait.ts'
import type { RowOutcome } from './rowRun.ts'
import type { RowCall } from './unitWork.ts'

/** One row whose run came to an end. */
export interface RanRow {
  readonly call: RowCall
  readonly bytes: number
  readonly outcome: RowOutcome
  readonly cached: boolean
  /** What the page of a failed run did last. */
  readonly flight: KeptFlight | null
}

/** One row that is to run later: when a policy lets it, or (null) as soon as somebody comes to it. */
export interface LaterRow {
  readonly index: number
  readonly wait: MustWait | null
}
