import type { Static } from 'typebox'
import type { StreamConfig } from '../../contract/mentos/streamConfig.ts'
import type { Stream } from '../../contract/mentos/streams.ts'
import { Prisma, type Stream as StreamRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids = `mentos.stream.${'create' | 'list' | 'read' | 'delete'}`

interface Columns {
  readonly name: string
  readonly config: Prisma.InputJsonObject
}

/** Streams: named ways of rows into a store. */
export function streamHandlers(house: House): HandlersOf<Ids> {
  const streams = new Records<StreamRow, Columns, Static<typeof Stream>>(house, {
    noun: 'stream',
    key: 'name',
    table: (connection) => connection.stream,
    stored: oneRow('streams', Prisma.StreamScalarFieldEnum),
    present,
  })
  const taken = (name: string): string => `There is a stream ${JSON.stringify(name)} already; delete that one or choose another name.`

  return {
    'mentos.stream.list': ({ query }) => streams.list(query),
    'mentos.stream.read': ({ params }) => streams.read(params.name),
    'mentos.stream.create': (request) => {
      const { name, streamConfig: config } = request.body
      return streams.create(request, { name, config }, taken(name))
    },
    'mentos.stream.delete': (request) => streams.delete(request, request.params.name),
  }
}

function present(row: StreamRow): Static<typeof Stream> {
  return {
    id: row.id,
    name: row.name,
    // Only what the contract allows is ever written.
    streamConfig: row.config as StreamConfig,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
