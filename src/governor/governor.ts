import { pause, type Clock } from '../platform/clock.ts'
import { normalizeHost } from '../platform/hosts.ts'
import { randomText } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import type { Redis } from '../platform/redis.ts'
import { longestCoolDownMs } from './bounds.ts'
import { capsOf, type Cap } from './caps.ts'
import { Cooling } from './cooling.ts'
import type { Limits } from './cover.ts'
import { Ledger } from './ledger.ts'
import { openLimiterClient, whenConnected } from './limiterClient.ts'
import { freePermit, slotPermit, type Permit, type Refusal, type Settle } from './permit.ts'
import { PolicyBook, type PolicySource } from './policyBook.ts'
import { asksAgainIn, blocked, cooling, notNow } from './refusals.ts'
import { Slots } from './slots.ts'
import { viewDomains, type DomainView } from './view.ts'
import { watch } from './watch.ts'

/** Who asks; the same id keeps its place in the line of a domain. */
export interface Holder {
  readonly id: string
}

/** What a governor works with. */
export interface GovernorParts extends PolicySource {
  readonly redis: Redis
  readonly prefix: string
  /** Limits of hosts without a policy, each by itself; `{}` for none. */
  readonly defaultPolicy: Limits
  readonly clock: Clock
  readonly log: Logger
  /** Hears of every leave that was refused. */
  readonly onRefusal?: (refusal: Refusal) => void
}

const mostTries = 3
/** How long the first request waits to hear which domains cool down; without Redis nobody tells. */
const firstLookMs = 2_000

/** Gives leave to send, so that no domain ever gets more than its policy allows, whatever process of whatever machine asks. */
export class Governor {
  readonly #parts: GovernorParts
  readonly #client: Redis
  readonly #ledger: Ledger
  readonly #slots: Slots
  readonly #book: PolicyBook
  readonly #cooling: Cooling
  readonly #unwatch: () => void
  /** The first look at what other processes have found. */
  readonly #begun: Promise<void>
  #hasBegun = false
  #ticking = false

  constructor(parts: GovernorParts) {
    const { redis, prefix, log } = parts
    this.#parts = parts
    this.#client = openLimiterClient(redis, prefix, log)
    this.#ledger = new Ledger(this.#client, prefix)
    this.#slots = new Slots(this.#client, prefix)
    this.#book = new PolicyBook(parts, parts.defaultPolicy, log)
    this.#cooling = new Cooling(parts.clock)
    this.#unwatch = watch(redis, prefix, {
      onPolicies: () => void this.refresh(),
      onCooling: (domain, ms) => this.#cooling.add(domain, ms),
      onTick: () => void this.#tick(),
    })
    this.#begun = Promise.race([this.#tick(), pause(firstLookMs)]).then(() => void (this.#hasBegun = true))
  }

  /** Asks for leave to send one request to a host; who is refused joins the line of the domain, unless told not to. */
  async take(host: string, holder: Holder, { joins = true }: { joins?: boolean } = {}): Promise<Permit | Refusal> {
    const answer = this.#takeAtOnce(host) ?? (await this.#take(host, holder, joins))
    if (!answer.go) this.#parts.onRefusal?.(answer)
    return answer
  }

  /** Leave for a domain that nothing limits, which waits for nobody; undefined for the others. */
  #takeAtOnce(host: string): Permit | Refusal | undefined {
    if (!this.#hasBegun || !this.#book.isKnown) return undefined
    const { domain, limits } = this.#book.cover(normalizeHost(host) ?? host)
    return capsOf(limits).length === 0 ? this.#freeNow(domain) : undefined
  }

  async #take(host: string, holder: Holder, joins: boolean): Promise<Permit | Refusal> {
    const name = normalizeHost(host) ?? host
    const cover = await this.#book.find(name)
    if (!cover) return asksAgainIn(1_000, name, 'policies', this.#parts.clock())
    const caps = capsOf(cover.limits)
    if (caps.some(({ count }) => count === 0)) return blocked(cover.domain, this.#parts.clock())
    if (caps.length === 0) return await this.#takeFree(cover.domain)
    try {
      await whenConnected(this.#client)
      return await this.#takeSlot(cover.domain, holder, joins, caps)
    } catch (err) {
      this.#parts.log.debug({ err, domain: cover.domain }, 'no leave to send, because Redis does not answer')
      return asksAgainIn(1_000, cover.domain, 'redis', this.#parts.clock())
    }
  }

  /** The limits in force for a host, and the domain whose count they are. */
  async policyFor(host: string): Promise<{ readonly domain: string; readonly limits: Limits } | null> {
    return this.#book.find(normalizeHost(host) ?? host)
  }

  /** Gives up a place in a line. */
  async leave(host: string, holder: Holder): Promise<void> {
    const cover = await this.#book.find(normalizeHost(host) ?? host)
    if (cover) await this.#ledger.leave(cover.domain, holder.id).catch(() => undefined) // a place is lost by itself in the end
  }

  /** Leaves a domain alone for a while, in every process. */
  async coolDown(host: string, ms: number): Promise<void> {
    const cover = await this.#book.find(normalizeHost(host) ?? host)
    if (!cover || !(ms > 0)) return
    const boundedMs = Math.ceil(Math.min(ms, longestCoolDownMs))
    this.#cooling.add(cover.domain, boundedMs)
    await whenConnected(this.#client)
    await this.#ledger.coolDown(cover.domain, boundedMs).catch((err: unknown) => {
      this.#parts.log.warn({ err, domain: cover.domain }, 'the other processes do not know yet that the domain cools down')
    })
  }

  /** The domains that were asked for lately, one page of them. */
  async view(page: { readonly offset: number; readonly limit: number }): Promise<{ readonly items: DomainView[]; readonly total: number }> {
    await whenConnected(this.#client)
    await this.refresh()
    return viewDomains(this.#ledger, this.#book, page)
  }

  /** Puts changes of policies in force now. */
  refresh(): Promise<void> {
    return this.#book.refresh()
  }

  /** How many limiters this process keeps open; none for domains that are idle. */
  get openLimiters(): number {
    return this.#slots.open
  }

  close(): void {
    this.#unwatch()
    this.#slots.close()
    this.#client.disconnect()
  }

  async #takeFree(domain: string): Promise<Permit | Refusal> {
    await this.#begun
    return this.#freeNow(domain)
  }

  #freeNow(domain: string): Permit | Refusal {
    const until = this.#cooling.until(domain)
    const now = this.#parts.clock()
    return until > 0 ? cooling(domain, until, now) : freePermit(domain, now)
  }

  async #takeSlot(domain: string, holder: Holder, joins: boolean, caps: readonly Cap[]): Promise<Permit | Refusal> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const slot = randomText(9)
      const asked = await this.#ledger.ask(domain, { holder: holder.id, slot, joins }, caps)
      if (!asked.go) return notNow(domain, asked)
      // A slot that cannot be settled ends by itself, later.
      const settle: Settle = (laterMs) => void this.#ledger.settle(domain, slot, laterMs, caps).catch(() => undefined)
      const taken = await this.#tryFor(domain, slot, caps, asked.stale, settle)
      if (taken && asked.since > 0) this.#ledger.leave(domain, holder.id).catch(() => undefined) // a place is lost by itself in the end
      if (taken) return slotPermit(domain, this.#parts.clock(), settle)
    }
    return asksAgainIn(10, domain, 'limit', this.#parts.clock())
  }

  /** Takes a slot in every window, or in none: another process may have been quicker, under an earlier policy. */
  async #tryFor(domain: string, slot: string, caps: readonly Cap[], stale: boolean, settle: Settle): Promise<boolean> {
    let taken = false
    try {
      taken = await this.#slots.take(domain, slot, caps, stale)
      return taken
    } finally {
      if (!taken) {
        settle('unused')
        this.#ledger.missed(domain, slot).catch(() => undefined) // it is forgotten by itself
      }
    }
  }

  async #tick(): Promise<void> {
    if (this.#ticking) return
    this.#ticking = true
    this.#slots.sweep()
    const watched = whenConnected(this.#client).then(async () => this.#cooling.merge(await this.#ledger.watch()))
    await Promise.allSettled([watched, this.#book.refresh()])
    this.#ticking = false
  }
}

/** Opens the governor of a process; nothing is waited for. */
export function openGovernor(parts: GovernorParts): Governor {
  return new Governor(parts)
}
