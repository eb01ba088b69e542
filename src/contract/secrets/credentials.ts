import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByLabel, Closed, FreeObject, ListOf, OneOf, Page, Stamps, Version } from '../schemas.ts'
import { credentialTypeNames, credentialTypes } from './credentialTypes/index.ts'
import { OauthMapping } from './oauthMappings.ts'
import { TypeSchema, unionByType } from './typeRegistry.ts'

/** A credential as it is sent: its type, and the config of that type. */
export const CredentialDraft = unionByType(credentialTypes)
export type CredentialDraft = Static<typeof CredentialDraft>

/** A credential as it is answered. */
export const Credential = Type.Object({
  ...Stamps,
  version: Version,
  name: Type.String(),
  type: OneOf(credentialTypeNames),
  config: Type.With(FreeObject, { description: 'The config with every secret value masked.' }),
})
export type Credential = Static<typeof Credential>

const example = { type: 'aws4', config: credentialTypes.aws4.example } as const

/** The operations on credentials and on the schemas of their types. */
export const credentials = defineOperations({
  'secrets.credential.list': {
    method: 'GET',
    path: '/v1/secrets/credentials',
    summary: 'List credentials',
    scope: 'secrets:read',
    query: Page,
    reply: { status: 200, body: ListOf(Credential) },
  },
  'secrets.credential.create': {
    method: 'POST',
    path: '/v1/secrets/credentials',
    summary: 'Create a credential',
    description: 'The config depends on the type; its schema is answered by the schema operations. A name that is taken is a 409.',
    scope: 'secrets:write',
    body: CredentialDraft,
    reply: { status: 201, body: Credential, location: '/v1/secrets/credentials/:name' },
    example,
  },
  'secrets.oauthMapping.list': {
    method: 'GET',
    path: '/v1/secrets/credentials/oauth/mappings',
    summary: 'List OAuth mappings',
    description: 'Well-known OAuth 2.0 providers with their addresses; an oauth credential names one of them as its provider.',
    scope: 'secrets:read',
    query: Page,
    reply: { status: 200, body: ListOf(OauthMapping) },
  },
  'secrets.credentialSchema.list': {
    method: 'GET',
    path: '/v1/secrets/credentials/schemas',
    summary: 'List credential schemas',
    scope: 'secrets:read',
    query: Page,
    reply: { status: 200, body: ListOf(TypeSchema) },
  },
  'secrets.credentialSchema.read': {
    method: 'GET',
    path: '/v1/secrets/credentials/schemas/:type',
    summary: 'Get credential schema',
    scope: 'secrets:read',
    params: Closed({ type: OneOf(credentialTypeNames) }),
    reply: { status: 200, body: TypeSchema },
  },
  'secrets.credential.read': {
    method: 'GET',
    path: '/v1/secrets/credentials/:name',
    summary: 'Retrieve a credential',
    scope: 'secrets:read',
    params: ByLabel,
    reply: { status: 200, body: Credential },
  },
  'secrets.credential.update': {
    method: 'PUT',
    path: '/v1/secrets/credentials/:name',
    summary: 'Update a credential',
    description:
      'Replaces type and config. A secret that is sent as its mask keeps the stored value. Another name in the config renames the credential; one that is taken is a 409.',
    scope: 'secrets:write',
    params: ByLabel,
    body: CredentialDraft,
    reply: { status: 200, body: Credential },
    example,
  },
  'secrets.credential.delete': {
    method: 'DELETE',
    path: '/v1/secrets/credentials/:name',
    summary: 'Delete a credential',
    scope: 'secrets:write',
    params: ByLabel,
    reply: { status: 204 },
  },
})
