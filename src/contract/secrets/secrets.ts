import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, Label, ListOf, OneOf, paging, SecretText, Stamps } from '../schemas.ts'

/** What a secret is for. */
export const secretTypes = ['store', 'credential', 'custom', 'apikey', 'user', 'checkpoint', 'prompt'] as const

const SecretType = OneOf(secretTypes)

const SecretName = Type.With(Label, {
  maxLength: 250,
  explain: 'must have 1 to 250 characters without control characters, and must not be blank, consist of dots only, or begin or end with a space',
})

const Metadata = Type.Unsafe<{ readonly [field: string]: unknown; readonly type?: string }>({
  type: 'object',
  properties: { type: Type.String({ description: 'What kind of thing the metadata describes.' }) },
  additionalProperties: true,
  description: 'Facts about the secret, kept as they are; any fields, of which `type` is text. Not secret: reads answer them in full.',
})

const fields = {
  name: SecretName,
  providerType: Type.Optional(Type.String({ maxLength: 1000, description: 'The provider that the secret belongs to.' })),
  secret: Type.Optional(SecretText({ description: 'The value itself; stored encrypted, and answered as a mask.' })),
  metadata: Type.Optional(Metadata),
} as const

/** A secret as it is created; its type is `custom` unless it says otherwise. */
export const SecretDraft = Closed({ type: Type.Optional(OneOf(secretTypes, { default: 'custom' })), ...fields })

/** A secret as it is created under a path that names its type. */
export const TypedSecretDraft = Closed({ type: Type.Optional(Type.With(SecretType, { description: 'Where given, the same type as in the path.' })), ...fields })

/** A secret as it is answered: the mask in place of its value, where it has one. */
export const Secret = Type.Object({
  ...Stamps,
  type: SecretType,
  name: Type.String(),
  providerType: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String({ description: 'The mask ********, where a value is stored.' })),
  metadata: Type.Optional(Metadata),
})

const BySecretName = Closed({ type: SecretType, name: SecretName })
const location = '/v1/secrets/:type/:name'
const example = { name: 'weather', providerType: 'weather.example', secret: 'the value to keep', metadata: { type: 'token', owner: 'research' } }
const unique = 'The value is stored encrypted and never comes back. A second secret of one type and name is a 409.'

/** The operations on secrets. */
export const secrets = defineOperations({
  'secrets.secret.create': {
    method: 'POST',
    path: '/v1/secrets',
    summary: 'Create a secret',
    description: `The type is \`custom\` unless the body says otherwise. ${unique}`,
    scope: 'secrets:write',
    body: SecretDraft,
    reply: { status: 201, body: Secret, location },
    example,
  },
  'secrets.secret.createTyped': {
    method: 'POST',
    path: '/v1/secrets/:type',
    summary: 'Create a secret of a type',
    description: `The path names the type; another type in the body is a 400. ${unique}`,
    scope: 'secrets:write',
    params: Closed({ type: SecretType }),
    body: TypedSecretDraft,
    reply: { status: 201, body: Secret, location },
    example,
  },
  'secrets.secret.list': {
    method: 'GET',
    path: '/v1/secrets',
    summary: 'Retrieve all secrets',
    scope: 'secrets:read',
    origin: 'beyond',
    query: Closed({ ...paging, type: Type.Optional(Type.With(SecretType, { description: 'Only secrets of this type.' })) }),
    reply: { status: 200, body: ListOf(Secret) },
  },
  'secrets.secret.read': {
    method: 'GET',
    path: location,
    summary: 'Retrieve a secret',
    scope: 'secrets:read',
    origin: 'beyond',
    params: BySecretName,
    reply: { status: 200, body: Secret },
  },
  'secrets.secret.delete': {
    method: 'DELETE',
    path: location,
    summary: 'Delete a secret',
    scope: 'secrets:write',
    origin: 'beyond',
    params: BySecretName,
    reply: { status: 204 },
  },
})
