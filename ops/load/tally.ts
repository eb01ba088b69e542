import { Histogram } from './histogram.ts'
import type { Outcome } from './outcome.ts'

/** How often a kind of outcome came, and what its answers said about coming again. */
export interface OutcomeCount {
  readonly kind: Outcome['kind']
  readonly label: string
  count: number
  retryAfter: { leastS: number; mostS: number; answers: number } | null
}

/** What happened to the requests that were to begin in one second. */
export interface Second {
  arrived: number
  accepted: number
  turnedAway: number
  failed: number
  readonly latency: Histogram
}

/** All that is counted while the load runs. */
export class Tally {
  /** From the moment at which a request was to begin, so that a server that is late cannot hide it. */
  readonly latency = new Histogram()
  /** How much later than planned requests were sent. */
  readonly lag = new Histogram()
  readonly outcomes = new Map<string, OutcomeCount>()
  readonly seconds: Second[] = []
  readonly ids: string[] = []
  readonly counts = { accepted: 0, turnedAway: 0, failed: 0 }
  sent = 0
  underWay = 0

  /** Counts a request that should begin now, whether it can be sent or not. */
  arrive(dueMs: number): void {
    this.#secondAt(dueMs).arrived += 1
  }

  /** Counts a request when it is sent. */
  begin(lagMs: number): void {
    this.sent += 1
    this.underWay += 1
    this.lag.add(lagMs)
  }

  /** Counts a request when it has ended. */
  end(dueMs: number, latencyMs: number, outcome: Outcome): void {
    const second = this.#secondAt(dueMs)
    this.underWay -= 1
    this.counts[outcome.kind] += 1
    second[outcome.kind] += 1
    this.#count(outcome)
    if (outcome.kind !== 'accepted') return
    this.latency.add(latencyMs)
    second.latency.add(latencyMs)
    if (outcome.id !== null) this.ids.push(outcome.id)
  }

  #secondAt(dueMs: number): Second {
    const at = Math.floor(dueMs / 1_000)
    for (;;) {
      const known = this.seconds[at]
      if (known) return known
      this.seconds.push({ arrived: 0, accepted: 0, turnedAway: 0, failed: 0, latency: new Histogram() })
    }
  }

  #count({ kind, label, retryAfterS }: Outcome): void {
    const known = this.outcomes.get(label) ?? { kind, label, count: 0, retryAfter: null }
    this.outcomes.set(label, known)
    known.count += 1
    if (retryAfterS === null) return
    const { leastS, mostS, answers } = known.retryAfter ?? { leastS: retryAfterS, mostS: retryAfterS, answers: 0 }
    known.retryAfter = { leastS: Math.min(leastS, retryAfterS), mostS: Math.max(mostS, retryAfterS), answers: answers + 1 }
  }
}
