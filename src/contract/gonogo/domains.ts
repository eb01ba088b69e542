import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, ListOf, MaybeInstant, Page } from '../schemas.ts'
import { DraftRates, Rates } from './policies.ts'

const Count = Type.Union([Type.Integer(), Type.Null()], { description: 'Null where the window is not limited, and so not counted.' })

/** A domain as it stands now. */
export const ActiveDomain = Type.Object({
  domain: Type.String(),
  policy: Rates,
  counts: Type.Object({ perSecond: Count, perTenSeconds: Count, perMinute: Count }, { description: 'Dispatches that each window holds.' }),
  waiting: Type.Integer({ description: 'Jobs that wait for their turn.' }),
  nextAt: Type.Union([MaybeInstant], { description: 'When the next dispatch is free; null where the policy blocks the domain.' }),
  coolDownUntil: Type.Union([MaybeInstant], { description: 'Until when the domain is left alone, because its server asked for that.' }),
})

/** What can be seen of the limits at work, and tried out. */
export const domains = defineOperations({
  'gonogo.domain.list': {
    method: 'GET',
    path: '/v1/gonogo/domains',
    summary: 'Retrieve all active domains',
    description: 'Every domain that was asked for in the last two minutes, by name. A policy and the sub-domains that it covers are one.',
    scope: 'policies:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(ActiveDomain) },
  },
  'gonogo.policy.simulate': {
    method: 'POST',
    path: '/v1/gonogo/simulate',
    summary: 'Simulate a domain policy',
    description: 'How long so many dispatches take, from the first to the last, under the given policy or the one in force for a domain. Takes nothing.',
    scope: 'policies:read',
    origin: 'beyond',
    pure: true,
    body: Closed({
      dispatches: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      policy: Type.Optional(DraftRates),
      domain: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'In place of a policy: the one in force for this host.' })),
    }),
    reply: {
      status: 200,
      body: Type.Object({
        dispatches: Type.Integer(),
        policy: Rates,
        durationMs: Type.Union([Type.Number(), Type.Null()], { description: 'Null where the policy allows none.' }),
      }),
    },
    example: { dispatches: 300, policy: { perSecond: 5, perTenSeconds: 40, perMinute: 200 } },
  },
})
