import { send } from '../../src/client/index.ts'
import type { Grant } from '../../src/contract/scopes.ts'
import type { RunningApi } from './api.ts'

/** A key as its generation answers it. */
export interface GeneratedKey {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly scopes: string[]
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Generates a key, with the admin key unless another one is given. */
export async function generateKey(api: RunningApi, draft: object = {}, apiKey: string = api.adminKey): Promise<GeneratedKey> {
  const response = await send({ baseUrl: api.url, apiKey }, 'secrets.apiKey.generate', { body: draft })
  if (response.status !== 201) throw new Error(`the key was not generated: ${await response.text()}`)
  return (await response.json()) as GeneratedKey
}

/** The text of a key that may do no more than this. */
export async function limitedKey(api: RunningApi, ...scopes: Grant[]): Promise<string> {
  return (await generateKey(api, { scopes })).key
}
