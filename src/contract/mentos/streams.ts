import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByLabel, Closed, Label, ListOf, Page, Stamps, Version } from '../schemas.ts'
import { StreamConfig } from './streamConfig.ts'

/** A stream as it is created. */
export const StreamDraft = Closed({ name: Label, streamConfig: StreamConfig })

/** A stream as it is answered. */
export const Stream = Type.Object({ ...Stamps, version: Version, name: Type.String(), streamConfig: StreamConfig })

/** The operations that keep streams; the one that feeds them is elsewhere. */
export const streams = defineOperations({
  'mentos.stream.create': {
    method: 'POST',
    path: '/v1/mentos/streams',
    summary: 'Create a stream',
    description: 'The store need not exist yet: it is looked up when rows are written. A name that is taken is a 409.',
    scope: 'stores:write',
    body: StreamDraft,
    reply: { status: 201, body: Stream, location: '/v1/mentos/streams/:name' },
    example: { name: 'to the warehouse', streamConfig: { store: 'warehouse', format: 'ndjson', batch: { rows: 500, ms: 2000 } } },
  },
  'mentos.stream.list': {
    method: 'GET',
    path: '/v1/mentos/streams',
    summary: 'Retrieve all streams',
    scope: 'stores:read',
    origin: 'beyond',
    query: Page,
    reply: { status: 200, body: ListOf(Stream) },
  },
  'mentos.stream.read': {
    method: 'GET',
    path: '/v1/mentos/streams/:name',
    summary: 'Retrieve a stream',
    scope: 'stores:read',
    origin: 'beyond',
    params: ByLabel,
    reply: { status: 200, body: Stream },
  },
  'mentos.stream.delete': {
    method: 'DELETE',
    path: '/v1/mentos/streams/:name',
    summary: 'Delete a stream',
    description: 'What was written to the stream before is still delivered.',
    scope: 'stores:write',
    origin: 'beyond',
    params: ByLabel,
    reply: { status: 204 },
  },
})
