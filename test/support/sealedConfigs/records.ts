import { expect } from 'vitest'
import { send } from '../../../src/client/index.ts'
import { credentialTypes } from '../../../src/contract/secrets/credentialTypes/index.ts'
import { storeTypes } from '../../../src/contract/secrets/storeTypes/index.ts'
import type { TypeRegistry } from '../../../src/contract/secrets/typeRegistry.ts'
import type { RunningApi } from '../api.ts'

/** Records whose config holds secrets: their operations differ in the types that they know, and little else. */
export type SealedKind = 'credential' | 'store'

/** The types of each kind. */
export const registryOf: Readonly<Record<SealedKind, TypeRegistry>> = { credential: credentialTypes, store: storeTypes }

/** A body of create and update. */
export interface ConfigDraft {
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
}

/** The record as it is answered. */
export interface ConfigRecord extends ConfigDraft {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** An access key, which both kinds have a type for. */
export interface Login {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

const someLogin: Login = { accessKeyId: 'some-id', secretAccessKey: 'some-secret' }

/** A draft with an access key: two secrets that it needs, a third that it may have, and a region that everybody may see. */
export function draftOf(kind: SealedKind, name: unknown, login: object = someLogin, region = 'eu-central-1'): ConfigDraft {
  if (kind === 'credential') return { type: 'aws4', config: { credential: { name }, credentials: { aws4: { ...login, region } } } }
  return { type: 'awsS3', config: { store: { name }, configuration: { bucket: 'lake', region }, credentials: { ...login } } }
}

/** Where the access key of a draft is. */
export const loginPath = { credential: '/config/credentials/aws4', store: '/config/credentials' } as const

/** A draft of another type, with one secret. */
export function otherDraftOf(kind: SealedKind, name: string, secret: string): ConfigDraft {
  if (kind === 'credential') return { type: 'custom', config: { credential: { name }, credentials: { custom: { value: secret } } } }
  return { type: 'http', config: { store: { name }, configuration: { url: 'https://hooks.example/rows' }, credentials: { token: secret } } }
}

/** Where the secret of that other draft is. */
export const otherSecretPath = { credential: '/config/credentials/custom/value', store: '/config/credentials/token' } as const

/** Creates a record that a test starts from. */
export async function createConfig(api: RunningApi, kind: SealedKind, draft: ConfigDraft): Promise<ConfigRecord> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, `secrets.${kind}.create`, { body: draft })
  if (response.status !== 201) throw new Error(`the ${kind} was not created: ${await response.text()}`)
  return (await response.json()) as ConfigRecord
}

/** What is sealed in the row of this name: the config with its secrets. */
export async function openSealed({ house }: RunningApi, kind: SealedKind, name: string): Promise<unknown> {
  const table = `${kind}s`
  const { rows } = await house.pool.query<{ id: string; sealed: string }>(`SELECT id, sealed FROM ${table} WHERE name = $1`, [name])
  expect(rows).toHaveLength(1)
  const { id = '', sealed = '' } = rows[0] ?? {}
  return JSON.parse(house.box.open({ table, id, field: 'sealed' }, sealed))
}
