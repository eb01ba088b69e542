import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByLabel, Closed, Label, ListOf, Page, Stamps, Version } from '../schemas.ts'

const CheckpointText = Type.String({ minLength: 1, maxLength: 10_000, description: 'How far a query has come, in words of its own; kept as it is.' })

/** A checkpoint as it is created. */
export const CheckpointDraft = Closed({ name: Label, checkpoint: CheckpointText })

/** A checkpoint as it is answered. */
export const Checkpoint = Type.Object({ ...Stamps, version: Version, name: Type.String(), checkpoint: Type.String() })

/** The operations on checkpoints: where a query left off, so that its next run can go on from there. */
export const checkpoints = defineOperations({
  'secrets.checkpoint.list': {
    method: 'GET',
    path: '/v1/secrets/checkpoints',
    summary: 'Retrieve all checkpoints',
    scope: 'secrets:read',
    query: Page,
    reply: { status: 200, body: ListOf(Checkpoint) },
  },
  'secrets.checkpoint.create': {
    method: 'POST',
    path: '/v1/secrets/checkpoints',
    summary: 'Create a new checkpoint',
    description: 'A checkpoint is not secret and comes back in full. A name that is taken is a 409.',
    scope: 'secrets:write',
    body: CheckpointDraft,
    reply: { status: 201, body: Checkpoint, location: '/v1/secrets/checkpoints/:name' },
    example: { name: 'orders', checkpoint: '2030-01-31T12:00:00Z' },
  },
  'secrets.checkpoint.read': {
    method: 'GET',
    path: '/v1/secrets/checkpoints/:name',
    summary: 'Retrieve a checkpoint',
    scope: 'secrets:read',
    params: ByLabel,
    reply: { status: 200, body: Checkpoint },
  },
  'secrets.checkpoint.update': {
    method: 'PUT',
    path: '/v1/secrets/checkpoints/:name',
    summary: 'Update a checkpoint',
    description: 'Replaces the text; the name stays. A name that no checkpoint has is a 404, and nothing is created.',
    scope: 'secrets:write',
    params: ByLabel,
    body: Closed({ checkpoint: CheckpointText }),
    reply: { status: 200, body: Checkpoint },
    example: { checkpoint: '2030-02-28T12:00:00Z' },
  },
  'secrets.checkpoint.delete': {
    method: 'DELETE',
    path: '/v1/secrets/checkpoints/:name',
    summary: 'Delete a checkpoint',
    scope: 'secrets:write',
    params: ByLabel,
    reply: { status: 204 },
  },
})
