import { freshMs } from '../../governor/bounds.ts'
import { auditEntry } from '../change.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { hostOf } from './cover.ts'
import { governorOf } from './governorOf.ts'
import { notAnswering } from './notAnswering.ts'

/** Takes one dispatch to a domain for a query that somebody else sends. */
export function enforceHandlers(house: House): HandlersOf<'gonogo.policy.enforce'> {
  return {
    'gonogo.policy.enforce': async (request) => {
      const { domain, id } = request.params
      const host = hostOf(domain)
      const governor = governorOf(house)
      await governor.refresh() // a policy that was made a moment ago is in force
      const answer = await governor.take(host, { id }, { joins: false })
      const policy = (await governor.policyFor(host))?.limits
      if (!policy || (!answer.go && ['redis', 'policies'].includes(answer.reason))) throw notAnswering()
      if (!answer.go) return { go: false, waitMs: answer.waitMs, policy }
      answer.answered(freshMs) // the caller, who sends it, needs a moment
      await house.db.auditEntry.create({ data: auditEntry(request, answer.domain, 'done'), select: { seq: true } })
      return { go: true, waitMs: 0, policy }
    },
  }
}
