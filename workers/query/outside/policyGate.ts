import { pause } from '../../../src/platform/clock.ts'
import { Problem } from '../../../src/platform/errors.ts'
import { signalOf, type Stop } from '../../../src/platform/stop.ts'
import type { Incoming } from '../../../src/platform/egress/exchange.ts'
import type { Governor } from '../../../src/governor/governor.ts'
import type { Permit, Refusal } from '../../../src/governor/permit.ts'
import { MustWait } from '../mustWait.ts'

/** Waiting shorter than this is cheaper than going back into line. */
const shortWaitMs = 150

/** Domains that the rows of one job have found closed; the others need not ask. */
export type ClosedDomains = Map<string, MustWait>

/** How a run waits between two of its requests, and who hears what for. */
export type Rest = (ms: number, signal: AbortSignal, wait?: MustWait) => Promise<void>

/** Asks for leave before every request that one run of a command sends. */
export class PolicyGate {
  readonly #governor: Governor
  readonly #holder: { readonly id: string }
  readonly #closed: ClosedDomains
  readonly #rest: Rest
  #permit: Permit | undefined
  #hops = 0

  /** `holder` keeps its place in the line of a domain, however often the run is put back. */
  constructor(governor: Governor, holder: string, { closed = new Map(), rest = pause }: { readonly closed?: ClosedDomains; readonly rest?: Rest } = {}) {
    this.#governor = governor
    this.#holder = { id: holder }
    this.#closed = closed
    this.#rest = rest
  }

  /** Waits for leave to send; a run that has sent nothing yet goes back into line instead. */
  async beforeHop(url: URL, stop: Stop): Promise<void> {
    this.#permit?.answered() // a redirect: the hop before it has its answer
    for (;;) {
      const known = this.#hops === 0 ? this.#closed.get(url.hostname) : undefined
      if (known) throw known
      const answer = await this.#governor.take(url.hostname, this.#holder)
      if (answer.go) {
        this.#permit = answer
        return
      }
      await this.#wait(url, answer, signalOf(stop))
    }
  }

  /** Whether the leave is still fresh, right before the first byte. */
  sending(): boolean {
    if (this.#permit && !this.#permit.fresh()) {
      this.#permit.release()
      this.#permit = undefined
      return false
    }
    this.#permit?.sent()
    this.#hops += 1
    return true
  }

  /** The target has begun to answer; one that asks to be left alone is left alone by everybody. */
  answered({ status, headers, url }: Pick<Incoming, 'status' | 'headers' | 'url'>): void {
    this.#permit?.answered()
    this.#permit = undefined
    const seconds = status === 429 || status === 503 ? retryAfterS(headers['retry-after']) : undefined
    if (seconds !== undefined) void this.#governor.coolDown(new URL(url).hostname, seconds * 1000).catch(() => undefined)
  }

  /** Nothing came of the request. */
  failed(): void {
    this.#permit?.release()
    this.#permit = undefined
  }

  async #wait(url: URL, { domain, waitMs, since, position, nextAt }: Refusal, signal: AbortSignal): Promise<void> {
    if (waitMs === null) throw new Problem('policy_blocked', `The policy of ${domain} allows no dispatch at all; change it under /v1/gonogo/policies.`)
    const wait = waitMs > shortWaitMs ? new MustWait(domain, waitMs, new Date(since).toISOString(), position, nextAt) : undefined
    if (wait && this.#hops === 0) {
      this.#closed.set(url.hostname, wait)
      throw wait
    }
    if (wait) await this.#rest(waitMs, signal, wait)
    else await pause(Math.max(1, waitMs), signal)
    signal.throwIfAborted()
  }
}

/** Seconds, or a date; what is neither says nothing. */
function retryAfterS(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000)
}
