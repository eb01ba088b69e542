import type { Static } from 'typebox'
import { send } from '../../src/client/index.ts'
import type { Stream } from '../../src/contract/mentos/streams.ts'
import type { RunningApi } from './api.ts'

/** A stream as it is answered. */
export type StreamRecord = Static<typeof Stream>

/** A draft of a name. */
export const streamDraft = (name: unknown, streamConfig: unknown = { store: 'warehouse' }) => ({ name, streamConfig })

/** Creates a stream that a test starts from. */
export async function createStream(api: RunningApi, name: string, streamConfig?: unknown): Promise<StreamRecord> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'mentos.stream.create', { body: streamDraft(name, streamConfig) })
  if (response.status !== 201) throw new Error(`the stream was not created: ${await response.text()}`)
  return (await response.json()) as StreamRecord
}
