import { storeTypes } from '../../contract/secrets/storeTypes/index.ts'
import { Prisma } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { SealedConfigs } from './sealedConfigs.ts'

type Ids =
  | 'secrets.store.list' | 'secrets.store.create' | 'secrets.store.read' | 'secrets.store.update' | 'secrets.store.delete'
  | 'secrets.storeSchema.list' | 'secrets.storeSchema.read'

/** Stores: where rows are delivered to. */
export function storeHandlers(house: House): HandlersOf<Ids> {
  const stores = new SealedConfigs(house, {
    noun: 'store',
    tableName: 'stores',
    table: (connection) => connection.store,
    stored: oneRow('stores', Prisma.StoreScalarFieldEnum),
    registry: storeTypes,
    nameOf: (config: { store: { name: string } }) => config.store.name,
  })
  return {
    'secrets.store.list': ({ query }) => stores.list(query),
    'secrets.store.create': (request) => stores.create(request, request.body),
    'secrets.store.read': ({ params }) => stores.read(params.name),
    'secrets.store.update': (request) => stores.update(request, request.params.name, request.body),
    'secrets.store.delete': (request) => stores.delete(request, request.params.name),
    'secrets.storeSchema.list': async ({ query }) => stores.schemas(query),
    'secrets.storeSchema.read': async ({ params }) => stores.schema(params.type),
  }
}
