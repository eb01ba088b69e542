import { arrivalMs, freshMs } from './bounds.ts'

/** Leave to send one request to a domain now. */
export interface Permit {
  readonly go: true
  readonly domain: string
  /** When it was given, in epoch milliseconds. */
  readonly takenAt: number
  /** Whether it may still be used; ask right before the first byte, and release and ask anew where it may not. */
  fresh(): boolean
  /** To be called right after the first byte has left. */
  sent(): void
  /** To be called when the target has begun to answer: its slot then ends a window later, or that much after it where the sender is another. */
  answered(laterMs?: number): void
  /** Gives the slot back where nothing was sent; after `sent` it is the same as `answered`. */
  release(): void
}

/** Why there is no permit. */
export type RefusalReason = 'limit' | 'blocked' | 'cooling' | 'held_off' | 'redis' | 'policies'

/** No leave now. */
export interface Refusal {
  readonly go: false
  readonly domain: string
  readonly reason: RefusalReason
  /** After how long to ask again, which may be before the turn has come; null where the policy blocks the domain. */
  readonly waitMs: number | null
  /** When the holder was first refused, in epoch milliseconds. */
  readonly since: number
  /** How many wait before it. */
  readonly position: number
  /** When its turn is expected, in epoch milliseconds; null where it never comes. */
  readonly nextAt: number | null
}

/** Ends a slot: a window and so many milliseconds from now, or at once where nothing was sent. */
export type Settle = (laterMs: number | 'unused') => void

/** A permit whose slots are settled by the given function. */
export function slotPermit(domain: string, takenAt: number, settle: Settle): Permit {
  const takenMs = performance.now()
  let state: 'taken' | 'sent' | 'settled' = 'taken'
  let timer: NodeJS.Timeout | undefined
  const end: Settle = (laterMs) => {
    if (state === 'settled') return
    state = 'settled'
    clearTimeout(timer)
    settle(laterMs)
  }
  return {
    go: true,
    domain,
    takenAt,
    fresh: () => state === 'taken' && performance.now() - takenMs < freshMs,
    sent() {
      if (state !== 'taken') return
      state = 'sent'
      timer = setTimeout(() => end(0), arrivalMs).unref()
    },
    answered: (laterMs = 0) => end(laterMs),
    release: () => end(state === 'sent' ? 0 : 'unused'),
  }
}

const nothing = (): void => undefined

/** A permit for a domain without limits. */
export function freePermit(domain: string, takenAt: number): Permit {
  return { go: true, domain, takenAt, fresh: () => true, sent: nothing, answered: nothing, release: nothing }
}
