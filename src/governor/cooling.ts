import type { Clock } from '../platform/clock.ts'

/** The domains that cool down, as this process knows them: enough for domains without limits, which Redis is not asked for. */
export class Cooling {
  readonly #until = new Map<string, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(domain: string, ms: number): void {
    const until = this.#clock() + ms
    if (until > (this.#until.get(domain) ?? 0)) this.#until.set(domain, until)
  }

  /** When the domain may be asked again, in epoch milliseconds; 0 where it may now. */
  until(domain: string): number {
    const until = this.#until.get(domain) ?? 0
    return until > this.#clock() ? until : 0
  }

  /** Forgets what is over, and adds what others have found. */
  merge(found: ReadonlyMap<string, number>): void {
    for (const [domain, until] of this.#until) if (until <= this.#clock()) this.#until.delete(domain)
    for (const [domain, ms] of found) this.add(domain, ms)
  }
}
