import { credentialTypes } from '../../contract/secrets/credentialTypes/index.ts'
import { oauthMappings } from '../../contract/secrets/oauthMappings.ts'
import { Prisma } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'
import { SealedConfigs } from './sealedConfigs.ts'

type Ids =
  | 'secrets.credential.list' | 'secrets.credential.create' | 'secrets.credential.read' | 'secrets.credential.update' | 'secrets.credential.delete'
  | 'secrets.credentialSchema.list' | 'secrets.credentialSchema.read' | 'secrets.oauthMapping.list'

/** Credentials: what commands and stores sign in with elsewhere. */
export function credentialHandlers(house: House): HandlersOf<Ids> {
  const credentials = new SealedConfigs(house, {
    noun: 'credential',
    tableName: 'credentials',
    table: (connection) => connection.credential,
    stored: oneRow('credentials', Prisma.CredentialScalarFieldEnum),
    registry: credentialTypes,
    nameOf: (config: { credential: { name: string } }) => config.credential.name,
  })
  return {
    'secrets.credential.list': ({ query }) => credentials.list(query),
    'secrets.credential.create': (request) => credentials.create(request, request.body),
    'secrets.credential.read': ({ params }) => credentials.read(params.name),
    'secrets.credential.update': (request) => credentials.update(request, request.params.name, request.body),
    'secrets.credential.delete': (request) => credentials.delete(request, request.params.name),
    'secrets.credentialSchema.list': async ({ query }) => credentials.schemas(query),
    'secrets.credentialSchema.read': async ({ params }) => credentials.schema(params.type),
    'secrets.oauthMapping.list': async ({ query }) => pageOf(query, oauthMappings),
  }
}
