import type { Asked } from './askScript.ts'
import type { Refusal, RefusalReason } from './permit.ts'

/** A refusal by Redis: the holder has, or keeps, its place. */
export function notNow(domain: string, { now, since, position, nextAt, waitMs, coolUntil, epoch }: Asked): Refusal {
  const reason = coolUntil > now ? 'cooling' : epoch.hold > now ? 'held_off' : 'limit'
  return { go: false, domain, reason, waitMs, since: since || now, position, nextAt }
}

/** A refusal of a domain that its policy blocks. */
export function blocked(domain: string, now: number): Refusal {
  return { go: false, domain, reason: 'blocked', waitMs: null, since: now, position: 0, nextAt: null }
}

/** A refusal of a domain without limits that cools down. */
export function cooling(domain: string, until: number, now: number): Refusal {
  return { go: false, domain, reason: 'cooling', waitMs: until - now, since: now, position: 0, nextAt: until }
}

/** A refusal without an answer from Redis, or without a slot after several tries. */
export function asksAgainIn(waitMs: number, domain: string, reason: RefusalReason, now: number): Refusal {
  return { go: false, domain, reason, waitMs, since: now, position: 0, nextAt: now + waitMs }
}
