import { send } from '../../src/client/index.ts'
import type { Manifest } from '../../src/contract/sirp/cellarManifests.ts'
import type { RunningApi } from './api.ts'

/** Where manifests are added. */
export const manifestsPath = '/v1/sirp/cellar/manifests'

/** A hash such as screenshots have. */
export const someHash = '0123456789abcdef'.repeat(4)

/** A draft of a name. */
export const manifestDraft = (name: unknown) => ({ name, store: 'warehouse', type: 'sql' })

/** Adds a manifest that a test starts from. */
export async function addManifest(api: RunningApi, name: string, fields: object = {}): Promise<Manifest> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'sirp.cellarManifest.add', { body: { ...manifestDraft(name), ...fields } })
  if (response.status !== 201) throw new Error(`the manifest was not added: ${await response.text()}`)
  return (await response.json()) as Manifest
}
