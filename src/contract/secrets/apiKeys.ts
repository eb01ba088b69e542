import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, Instant, Label, ListOf, MaybeInstant, OneOf, Page, Stamps, Uuid } from '../schemas.ts'
import { grants } from '../scopes.ts'

export const ApiKeyDraft = Closed({
  name: Type.Optional(Label),
  scopes: Type.Optional(
    Type.Array(OneOf(grants), { minItems: 1, maxItems: 100, uniqueItems: true, description: 'What the key may do; left out, all that the caller may.' }),
  ),
  expiresAt: Type.Optional(Instant),
})

export const ApiKey = Type.Object({ ...Stamps, name: Type.String(), scopes: Type.Array(Type.String()), expiresAt: MaybeInstant })

/** The one answer that shows the key itself. */
export const NewApiKey = Type.Object({ ...ApiKey.properties, key: Type.String() })

export const apiKeys = defineOperations({
  'secrets.apiKey.generate': {
    method: 'POST',
    path: '/v1/secrets/apikeys',
    summary: 'Generate an API key',
    description: 'The answer shows the key once; it is stored only as a keyed hash. A caller can hand on no more than it may do itself, and for no longer.',
    scope: 'secrets:write',
    body: ApiKeyDraft,
    bodyOptional: true,
    reply: { status: 201, body: NewApiKey, location: '/v1/secrets/apikeys/:id' },
    example: { name: 'ci', scopes: ['queries:read', 'queries:write'] },
  },
  'secrets.apiKey.verify': {
    method: 'POST',
    path: '/v1/secrets/apikeys/verify',
    summary: 'Verify an API key',
    scope: 'secrets:read',
    pure: true,
    body: Closed({ key: Type.String({ minLength: 1, maxLength: 1000, secret: true }) }),
    reply: {
      status: 200,
      body: Type.Object({
        valid: Type.Boolean(),
        id: Type.Optional(Uuid),
        name: Type.Optional(Type.String()),
        scopes: Type.Optional(Type.Array(Type.String())),
      }),
    },
    example: { key: 'svc_0123' },
  },
  'secrets.apiKey.list': {
    method: 'GET',
    path: '/v1/secrets/apikeys',
    summary: 'Retrieve all API keys',
    scope: 'secrets:read',
    query: Page,
    reply: { status: 200, body: ListOf(ApiKey) },
  },
  'secrets.apiKey.read': {
    method: 'GET',
    path: '/v1/secrets/apikeys/:id',
    summary: 'Retrieve an API key',
    scope: 'secrets:read',
    params: ById,
    reply: { status: 200, body: ApiKey },
  },
  'secrets.apiKey.delete': {
    method: 'DELETE',
    path: '/v1/secrets/apikeys/:id',
    summary: 'Delete an API key',
    description: 'The key stops working everywhere within two seconds. A key that may do more than the caller is a 403. The last admin key that does not expire cannot be deleted (409).',
    scope: 'secrets:write',
    params: ById,
    reply: { status: 204 },
  },
})
