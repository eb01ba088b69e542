import type { DomainView } from '../../governor/view.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { governorOf } from './governorOf.ts'
import { notAnswering } from './notAnswering.ts'

/** The live view of the domains that are asked for. */
export function domainHandlers(house: House): HandlersOf<'gonogo.domain.list'> {
  return {
    'gonogo.domain.list': async ({ query: { offset = 0, limit = 100 } }) => {
      const { items, total } = await governorOf(house).view({ offset, limit }).catch((error: unknown) => {
        throw notAnswering(error)
      })
      return { items: items.map(present), total, offset, limit }
    },
  }
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function present({ nextAt, coolDownUntil, ...rest }: DomainView) {
  return { ...rest, nextAt: instant(nextAt), coolDownUntil: instant(coolDownUntil) }
}
