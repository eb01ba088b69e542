import { randomText } from '../platform/ids.ts'
import type { Redis } from '../platform/redis.ts'
import { askScript, type Asked } from './askScript.ts'
import { activeMs } from './bounds.ts'
import type { Cap } from './caps.ts'
import { coolScript } from './coolScript.ts'
import type { Epoch } from './epochScript.ts'
import { coolingChannel, expirationsKey, keys, settingsKey } from './keys.ts'
import { lookScript, type Looked } from './lookScript.ts'
import { settleScript } from './settleScript.ts'
import { watchScript } from './watchScript.ts'

interface Question {
  readonly holder: string
  readonly slot: string
  /** Whether the holder wants a place in the line when it is refused. */
  readonly joins: boolean
}

/** What all processes share in Redis beside the slots themselves: lines, cool-downs, active domains, and whether state was lost. */
export class Ledger {
  readonly #redis: Redis
  readonly #prefix: string
  #seen: Epoch = { id: '', seq: 0 }

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis
    this.#prefix = prefix
  }

  /** Asks whether a holder may try for a slot now; nobody else is let try for it until it is told how that went. */
  async ask(domain: string, { holder, slot, joins }: Question, caps: readonly Cap[]): Promise<Asked> {
    const ofDomain = [keys.line(domain), keys.due(domain), keys.late(domain), keys.granted(domain)]
    const shared = [keys.epoch, keys.cooling, keys.active, ...ofDomain]
    const limiters = caps.flatMap((cap) => [expirationsKey(this.#prefix, domain, cap), settingsKey(this.#prefix, domain, cap)])
    const args = [domain, holder, joins ? 1 : 0, this.#seen.id, this.#seen.seq, randomText(12), slot]
    const windows = caps.flatMap(({ count, ms }) => [count, ms])
    const asked = await askScript.run(this.#redis, [...shared, ...limiters], [...args, ...windows])
    this.#seen = asked.epoch
    return asked
  }

  /** Says that a slot was tried for and not taken; of one that was taken Redis knows by itself. */
  async missed(domain: string, slot: string): Promise<void> {
    await this.#redis.zrem(keys.granted(domain), slot)
  }

  /** Ends a slot a window and so many milliseconds from now, or at once where it was not used. */
  async settle(domain: string, slot: string, laterMs: number | 'unused', caps: readonly Cap[]): Promise<void> {
    const ends = caps.map((cap) => expirationsKey(this.#prefix, domain, cap))
    const epoch = await settleScript.run(this.#redis, [keys.epoch, ...ends], [slot, laterMs, ...caps.map(({ ms }) => ms)])
    // Another epoch means that state was lost; the next question must still see that.
    if (epoch.id === this.#seen.id && epoch.seq > this.#seen.seq) this.#seen = epoch
  }

  /** Takes a holder out of the line of a domain. */
  async leave(domain: string, holder: string): Promise<void> {
    await this.#redis.pipeline().zrem(keys.line(domain), holder).zrem(keys.due(domain), holder).zrem(keys.late(domain), holder).exec()
  }

  async coolDown(domain: string, ms: number): Promise<void> {
    await coolScript.run(this.#redis, [keys.cooling, keys.active], [domain, ms, coolingChannel(this.#prefix)])
  }

  /** Notices a lost state, and answers the domains that cool down, each with how long yet. */
  async watch(): Promise<Map<string, number>> {
    const { epoch, cooling } = await watchScript.run(this.#redis, [keys.epoch, keys.cooling], [this.#seen.id, this.#seen.seq, randomText(12)])
    this.#seen = epoch
    const found = new Map<string, number>()
    const pairs = Object.values(cooling) // an empty list comes as an empty object from Lua
    for (let index = 0; index < pairs.length; index += 2) found.set(String(pairs[index]), Number(pairs[index + 1]))
    return found
  }

  /** Every domain that was asked for lately, by name. */
  async active(): Promise<string[]> {
    const [seconds] = await this.#redis.time()
    const names = await this.#redis.zrangebyscore(keys.active, Number(seconds) * 1_000 - activeMs, '+inf')
    return names.toSorted()
  }

  look(domain: string, caps: readonly Cap[]): Promise<Looked> {
    const shared = [keys.epoch, keys.cooling, keys.line(domain), keys.late(domain)]
    const limiters = caps.map((cap) => expirationsKey(this.#prefix, domain, cap))
    return lookScript.run(this.#redis, [...shared, ...limiters], [domain, ...caps.flatMap(({ count, ms }) => [count, ms])])
  }
}
