import { Type } from 'typebox'
import { OneOf } from '../../schemas.ts'
import { Text, Url } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { timeoutMs, upsertNeedsKeys, writing } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

const mechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-1', 'MONGODB-X509', 'PLAIN'] as const

/** A collection of MongoDB. */
export const mongodb = defineStoreType({
  title: 'MongoDB',
  summary: 'Writes every row as one document of a collection.',
  configuration: Settings(
    {
      url: Url(['mongodb+srv', 'mongodb'], 'Address of the servers, with commas between several.'),
      database: Text('Database of the collection.', { maxLength: 63 }),
      collection: Text('Collection to write to.', { maxLength: 255 }),
      writeConcern: Type.Optional(
        Text('Who must confirm a write: majority, or a number of members.', {
          default: 'majority',
          pattern: '^(?:majority|[0-9]{1,2})$',
          explain: 'must be majority or a number of members',
        }),
      ),
      ...writing,
      timeoutMs,
    },
    upsertNeedsKeys,
  ),
  credentials: Type.Optional(
    Login({
      ...userAndPassword,
      authSource: Type.Optional(Text('Database that knows the user.', { default: 'admin' })),
      mechanism: Type.Optional(OneOf(mechanisms, { description: 'Mechanism of the login; agreed with the server when left out.' })),
    }),
  ),
  example: {
    store: { name: 'documents' },
    configuration: { url: 'mongodb+srv://cluster.example', database: 'shop', collection: 'prices', mode: 'upsert', keyColumns: ['sku'] },
    credentials: { username: 'loader', password: 'example-password' },
  },
})
