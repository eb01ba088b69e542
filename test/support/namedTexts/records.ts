import type { RunningApi } from '../api.ts'
import { send } from '../../../src/client/index.ts'

/** Records that are a name and a text: their operations differ only in the word for the text. */
export type NamedText = 'checkpoint' | 'prompt'

/** The record as it is answered, with its text under the field `checkpoint` or `prompt`. */
export interface NamedTextRecord {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly checkpoint?: string
  readonly prompt?: string
}

/** The fields of a draft. */
export const draftOf = (kind: NamedText, name: unknown, text: unknown = 'text'): Record<string, unknown> => ({ name, [kind]: text })

/** Creates a record that a test starts from. */
export async function createNamedText(api: RunningApi, kind: NamedText, name: string, text = 'text'): Promise<NamedTextRecord> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, `secrets.${kind}.create`, { body: draftOf(kind, name, text) })
  if (response.status !== 201) throw new Error(`the ${kind} was not created: ${await response.text()}`)
  return (await response.json()) as NamedTextRecord
}

/** Texts that are kept character by character. */
export const goodTexts = ['x', ' \n\ttext\r\n ', '{"a": 1}', '名前 😀 \u202e', 'x'.repeat(10_000), '😀'.repeat(10_000)]

/** What no text may be. */
export const badTexts = ['', 'x'.repeat(10_001), '😀'.repeat(10_001), 'a\u0000b', '\udc00', 1, null, ['x']]
