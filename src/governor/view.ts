import { capsOf } from './caps.ts'
import type { Limits } from './cover.ts'
import type { Ledger } from './ledger.ts'
import type { PolicyBook } from './policyBook.ts'
import type { Window } from './windows.ts'

/** A domain as it stands now. */
export interface DomainView {
  readonly domain: string
  readonly policy: Limits
  /** Slots held in each window; null where the window is not limited, and so not counted. */
  readonly counts: Readonly<Record<Window, number | null>>
  readonly waiting: number
  /** When the next slot is free, in epoch milliseconds; null where the policy blocks the domain. */
  readonly nextAt: number | null
  /** Until when it is left alone because its server asked for that; null where it is not. */
  readonly coolDownUntil: number | null
}

/** One page of the active domains, by name. */
export async function viewDomains(
  ledger: Ledger,
  book: PolicyBook,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly items: DomainView[]; readonly total: number }> {
  const names = await ledger.active()
  const items = await Promise.all(names.slice(offset, offset + limit).map((name) => viewDomain(ledger, book, name)))
  return { items, total: names.length }
}

async function viewDomain(ledger: Ledger, book: PolicyBook, domain: string): Promise<DomainView> {
  const policy = book.cover(domain).limits
  const caps = capsOf(policy)
  const { now, held, waiting, nextAt, coolUntil } = await ledger.look(domain, caps)
  const countOf = (window: Window): number | null => held[caps.findIndex((cap) => cap.window === window)] ?? null
  return {
    domain,
    policy,
    counts: { perSecond: countOf('perSecond'), perTenSeconds: countOf('perTenSeconds'), perMinute: countOf('perMinute') },
    waiting,
    nextAt: caps.some(({ count }) => count === 0) ? null : nextAt,
    coolDownUntil: coolUntil > now ? coolUntil : null,
  }
}
