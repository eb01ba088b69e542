import type { Static } from 'typebox'
import type { Checkpoint, CheckpointDraft } from '../../contract/secrets/checkpoints.ts'
import { Prisma, type Checkpoint as CheckpointRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids = `secrets.checkpoint.${'list' | 'create' | 'read' | 'update' | 'delete'}`

/** Checkpoints: named texts that say how far a query has come. */
export function checkpointHandlers(house: House): HandlersOf<Ids> {
  const checkpoints = new Records<CheckpointRow, Static<typeof CheckpointDraft>, Static<typeof Checkpoint>>(house, {
    noun: 'checkpoint',
    key: 'name',
    table: (connection) => connection.checkpoint,
    stored: oneRow('checkpoints', Prisma.CheckpointScalarFieldEnum),
    present,
  })
  const taken = (name: string): string => `There is a checkpoint ${JSON.stringify(name)} already; update that one or choose another name.`

  return {
    'secrets.checkpoint.list': ({ query }) => checkpoints.list(query),
    'secrets.checkpoint.read': ({ params }) => checkpoints.read(params.name),
    'secrets.checkpoint.create': (request) => checkpoints.create(request, request.body, taken(request.body.name)),
    'secrets.checkpoint.update': (request) => checkpoints.update(request, request.params.name, request.body),
    'secrets.checkpoint.delete': (request) => checkpoints.delete(request, request.params.name),
  }
}

function present(row: CheckpointRow): Static<typeof Checkpoint> {
  return {
    id: row.id,
    name: row.name,
    checkpoint: row.checkpoint,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
