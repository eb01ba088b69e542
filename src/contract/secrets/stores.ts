import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByFileName, Closed, FreeObject, ListOf, OneOf, Page, Stamps, Version } from '../schemas.ts'
import { storeTypeNames, storeTypes } from './storeTypes/index.ts'
import { TypeSchema, unionByType } from './typeRegistry.ts'

/** A store as it is sent: its type, and the config of that type. */
export const StoreDraft = unionByType(storeTypes)
export type StoreDraft = Static<typeof StoreDraft>

/** A store as it is answered. */
export const Store = Type.Object({
  ...Stamps,
  version: Version,
  name: Type.String(),
  type: OneOf(storeTypeNames),
  config: Type.With(FreeObject, { description: 'The config with every secret value masked.' }),
})
export type Store = Static<typeof Store>

const example = {
  type: 'graphistry',
  config: { store: { name: 'graph' }, configuration: { throughput: 10 }, processors: [], credentials: { tls: { enabled: true } } },
} as const

/** The operations on stores and on the schemas of their types. */
export const stores = defineOperations({
  'secrets.store.list': {
    method: 'GET',
    path: '/v1/secrets/stores',
    summary: 'List stores',
    scope: 'stores:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(Store) },
  },
  'secrets.store.create': {
    method: 'POST',
    path: '/v1/secrets/stores',
    summary: 'Create a store',
    description: 'The config depends on the type; its schema is answered by the schema operations. A name that is taken is a 409.',
    scope: 'stores:write',
    body: StoreDraft,
    reply: { status: 201, body: Store, location: '/v1/secrets/stores/:name' },
    example,
  },
  'secrets.storeSchema.list': {
    method: 'GET',
    path: '/v1/secrets/stores/schemas',
    summary: 'List store schemas',
    scope: 'stores:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(TypeSchema) },
  },
  'secrets.storeSchema.read': {
    method: 'GET',
    path: '/v1/secrets/stores/schemas/:type',
    summary: 'Get store schema',
    scope: 'stores:read',
    origin: 'beyond',
    params: Closed({ type: OneOf(storeTypeNames) }),
    reply: { status: 200, body: TypeSchema },
  },
  'secrets.store.read': {
    method: 'GET',
    path: '/v1/secrets/stores/:name',
    summary: 'Retrieve a store',
    scope: 'stores:read',
    origin: 'beyond',
    params: ByFileName,
    reply: { status: 200, body: Store },
  },
  'secrets.store.update': {
    method: 'PUT',
    path: '/v1/secrets/stores/:name',
    summary: 'Update a store',
    description:
      'Replaces type and config. A secret that is sent as its mask keeps the stored value. Another name in the config renames the store; one that is taken is a 409.',
    scope: 'stores:write',
    params: ByFileName,
    body: StoreDraft,
    reply: { status: 200, body: Store },
    example,
  },
  'secrets.store.delete': {
    method: 'DELETE',
    path: '/v1/secrets/stores/:name',
    summary: 'Delete a store',
    scope: 'stores:write',
    origin: 'beyond',
    params: ByFileName,
    reply: { status: 204 },
  },
  'secrets.store.test': {
    method: 'POST',
    path: '/v1/secrets/stores/:name/test',
    summary: 'Test a store',
    description:
      'Connects to the store as a delivery would, without writing rows. A store that cannot be reached answers ok: false, and the message says why.',
    scope: 'stores:write',
    origin: 'beyond',
    startsWork: true,
    params: ByFileName,
    reply: {
      status: 200,
      body: Type.Object({
        ok: Type.Boolean({ description: 'Whether a delivery could begin.' }),
        message: Type.String({ description: 'What was found, or what went wrong and how to mend it; never a secret.' }),
        ms: Type.Number({ description: 'Milliseconds that the test took.' }),
      }),
    },
  },
})
