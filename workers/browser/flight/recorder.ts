import type { Problem } from '../../../src/platform/errors.ts'
import type { KeptFlight } from '../../../src/services/krull/flights.ts'
import { settledWithin } from '../race.ts'
import type { Tab } from '../steps/tab.ts'
import { flightBounds } from './bounds.ts'
import { secretsIn } from './draftSecrets.ts'
import { toHar } from './har.ts'
import { hider } from './hide.ts'
import { Trip } from './trip.ts'

/** How long a failure may take to reach the page, beyond looking at it. */
const graceMs = 300

/** Remembers what the page of a task does last, so that a failure can be understood later; costs next to nothing where all goes well. */
export class FlightRecorder {
  readonly #secrets: readonly string[]
  #trip: Trip | undefined

  private constructor(secrets: readonly string[]) {
    this.#secrets = secrets
  }

  /** A recorder for a task; null where the task holds too many secrets to keep them all out of a flight. */
  static for(draft: object): FlightRecorder | null {
    const secrets = secretsIn(draft)
    return secrets && new FlightRecorder(secrets)
  }

  /** Begins an attempt; only the last one is told of. */
  board(tab: Tab): Trip {
    this.#trip = new Trip(tab)
    return this.#trip
  }

  /** What the last attempt left behind, without secrets; null where no page was opened. `hide` knows further secrets. */
  async take({ code, message: detail }: Problem, hide: (text: string) => string = (text) => text): Promise<KeptFlight | null> {
    const trip = this.#trip
    this.#trip = undefined
    if (!trip) return null
    await settledWithin(flightBounds.landMs + graceMs, trip.landed)
    const { cookies, url, startedAt, thumbnail, browser } = trip
    const clean = hider([...this.#secrets, ...cookies.slice(0, flightBounds.secrets)], hide)
    const facts = { browser, url, startedAt, requests: trip.network.requests, lines: trip.console.lines, error: { code, detail } }
    return { har: toHar(facts, clean), thumbnail }
  }
}
