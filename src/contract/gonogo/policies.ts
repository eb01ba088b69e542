import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, Label, ListOf, Page, Stamps, Uuid, Version } from '../schemas.ts'

/** A number of dispatches; numeric text is taken as its number. */
const Rate = Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.String({ pattern: '^([0-9]{1,9}|10{9})$' })], {
  explain: 'must be a whole number from 0 to 1,000,000,000 (0 blocks the domain)',
})

/** Dispatches that are wished for in each window. */
export const DraftRates = Closed(
  { perSecond: Type.Optional(Rate), perTenSeconds: Type.Optional(Rate), perMinute: Type.Optional(Rate) },
  { description: 'Dispatches allowed per window. A window left out is not limited; 0 blocks the domain.' },
)

const StoredRate = Type.Optional(Type.Integer({ minimum: 0 }))

/** Dispatches that are allowed in each window; a window left out is not limited. */
export const Rates = Type.Object({ perSecond: StoredRate, perTenSeconds: StoredRate, perMinute: StoredRate })

export const PolicyDraft = Closed({
  name: Label,
  domain: Type.String({ minLength: 1, maxLength: 1000, description: 'Host name; it covers its sub-domains unless one of them has a policy of its own.' }),
  policy: DraftRates,
})

export const Policy = Type.Object({ ...Stamps, version: Version, name: Type.String(), domain: Type.String(), policy: Rates })

const example = { name: 'polite', domain: 'shop.example', policy: { perSecond: 2, perTenSeconds: 15, perMinute: 60 } }

const Domain = Type.String({ minLength: 1, maxLength: 1000 })

export const policies = defineOperations({
  'gonogo.policy.list': {
    method: 'GET',
    path: '/v1/gonogo/policies',
    summary: 'Retrieve all domain policies',
    scope: 'policies:read',
    query: Page,
    reply: { status: 200, body: ListOf(Policy) },
  },
  'gonogo.policy.create': {
    method: 'POST',
    path: '/v1/gonogo/policies',
    summary: 'Create a domain policy',
    description: 'The domain is stored in lower case and IDNA ASCII. A second policy for one domain is a 409.',
    scope: 'policies:write',
    body: PolicyDraft,
    reply: { status: 201, body: Policy, location: '/v1/gonogo/policies/:id' },
    example,
  },
  'gonogo.policy.read': {
    method: 'GET',
    path: '/v1/gonogo/policies/:id',
    summary: 'Retrieve a domain policy',
    scope: 'policies:read',
    params: ById,
    reply: { status: 200, body: Policy },
  },
  'gonogo.policy.update': {
    method: 'PUT',
    path: '/v1/gonogo/policies/:id',
    summary: 'Update a domain policy',
    scope: 'policies:write',
    params: ById,
    body: PolicyDraft,
    reply: { status: 200, body: Policy },
    example,
  },
  'gonogo.policy.delete': {
    method: 'DELETE',
    path: '/v1/gonogo/policies/:id',
    summary: 'Delete a domain policy',
    scope: 'policies:write',
    params: ById,
    reply: { status: 204 },
  },
  'gonogo.policy.enforce': {
    method: 'POST',
    path: '/v1/gonogo/policies/enforce/:domain/:id',
    summary: 'Enforce a domain policy',
    description: 'Takes one dispatch to the domain for this query id when one is free. Otherwise `waitMs` says when to ask again; it is null where the policy blocks the domain.',
    scope: 'policies:write',
    startsWork: true,
    params: Closed({ domain: Domain, id: Uuid }),
    reply: { status: 200, body: Type.Object({ go: Type.Boolean(), waitMs: Type.Union([Type.Number(), Type.Null()]), policy: Rates }) },
  },
  'gonogo.policy.check': {
    method: 'POST',
    path: '/v1/gonogo/policies/check/:domain',
    summary: 'Check a domain policy',
    description: 'Given the times of earlier dispatches, would one more be allowed now, and if not, when. Takes nothing.',
    scope: 'policies:read',
    pure: true,
    params: Closed({ domain: Domain }),
    body: Closed({
      domainDispatches: Type.Optional(
        Type.Array(Type.Array(Type.Unknown(), { minItems: 1 }), {
          default: [],
          maxItems: 100_000,
          description: 'Each inner array begins with the time of one dispatch in epoch milliseconds; further items are ignored.',
        }),
      ),
    }),
    bodyOptional: true,
    reply: {
      status: 200,
      body: Type.Object({
        allowed: Type.Boolean(),
        waitMs: Type.Union([Type.Number(), Type.Null()]),
        policy: Rates,
        counts: Type.Object({ perSecond: Type.Integer(), perTenSeconds: Type.Integer(), perMinute: Type.Integer() }),
      }),
    },
    example: { domainDispatches: [[1_700_000_000_000]] },
  },
})
