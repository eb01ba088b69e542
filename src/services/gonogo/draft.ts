import type { Static } from 'typebox'
import type { PolicyDraft } from '../../contract/gonogo/policies.ts'
import { limitsOf, type Limits } from '../../governor/cover.ts'

/** The limits that a draft asks for; numeric text is taken as its number. */
export function limitsOfDraft({ perSecond, perTenSeconds, perMinute }: Static<typeof PolicyDraft>['policy']): Limits {
  const rate = (value: number | string | undefined): number | undefined => (value === undefined ? undefined : Number(value))
  return limitsOf({ perSecond: rate(perSecond), perTenSeconds: rate(perTenSeconds), perMinute: rate(perMinute) })
}
