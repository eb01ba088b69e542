import type { Plan } from '../../contract/sirp/queryPlan.ts'
import { completeAt, decorateQuery } from '../../query/decorate.ts'
import { parseQuery, type ParsedQuery } from '../../query/plan.ts'
import { showStages } from '../../query/showPlan.ts'
import { maxFaults, type Fault } from '../../query/text/fault.ts'
import { Places } from '../../query/text/place.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { showEstimate } from './queryEstimate.ts'
import { querySyntax, showFaults, type TextOrigin } from './queryFaults.ts'
import { missingResources } from './queryResources.ts'

type Ids = 'sirp.query.parse' | 'sirp.query.decorate'

/** What can be said of a query's text without running it. */
export function queryPlanHandlers(house: House): HandlersOf<Ids> {
  return {
    'sirp.query.parse': async ({ body, query: { parseOnly = false, addFlags = true } }) => {
      const parsed = await understand(house, body.query, parseOnly)
      return showPlan(parseOnly ? null : house, parsed, addFlags)
    },

    'sirp.query.decorate': async ({ body, params, query: { cursor } }) => {
      const { pieces, query } = decorateQuery(body.query)
      const places = new Places(body.query)
      return {
        pieces: pieces.map(({ kind, start, end, documentation, errors }) => ({
          kind,
          text: body.query.slice(start, end),
          position: places.of(start, end),
          ...(documentation === undefined ? {} : { documentation }),
          errors: showFaults(places, errors),
        })),
        errors: showFaults(places, query.faults),
        ...(params.type === 'multiattribute' ? { candidates: completeAt(query, offsetOf(body.query, cursor)) } : {}),
      }
    },
  }
}

/** A plan as it is answered; without a house nothing that is stored is looked at. */
export async function showPlan(house: House | null, query: ParsedQuery, addFlags: boolean): Promise<Plan> {
  return { stages: showStages(query, addFlags), estimate: await showEstimate(house, query), warnings: [] }
}

/** The parsed query, or a 422 with every fault; unless told otherwise, what it names must exist too. */
export async function understand(house: House, text: string, textOnly = false, origin: TextOrigin = {}): Promise<ParsedQuery> {
  const parsed = parseQuery(text)
  if (!textOnly) return withResources(house, parsed, parsed.faults, origin)
  if (parsed.faults.length > 0) throw querySyntax(text, parsed.faults, origin)
  return parsed
}

/** The query, once it has no faults and everything that it names is known to be stored; otherwise a 422 that points at all that is wrong. */
export async function withResources(house: House, query: ParsedQuery, found: readonly Fault[], origin: TextOrigin = {}): Promise<ParsedQuery> {
  const faults = [...found, ...(await missingResources(house, query))].toSorted((a, b) => a.start - b.start).slice(0, maxFaults)
  if (faults.length > 0) throw querySyntax(query.text, faults, origin)
  return query
}

/** Cursors count characters, offsets code units. */
function offsetOf(text: string, cursor: number | undefined): number {
  return cursor === undefined ? text.length : Array.from(text).slice(0, cursor).join('').length
}
