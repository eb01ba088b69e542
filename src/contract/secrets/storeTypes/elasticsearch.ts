import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Choice, HttpUrl, Text } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { Column, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** An index of Elasticsearch or OpenSearch. */
export const elasticsearch = defineStoreType({
  title: 'Elasticsearch',
  summary: 'Writes every row as one document of an index or data stream, in bulk.',
  configuration: Settings({
    url: HttpUrl('Address of the cluster.'),
    index: Text('Index, alias or data stream to write to.', { maxLength: 255 }),
    operation: Choice(['index', 'create'], 'index', 'Whether a document with the same id is replaced, or kept (data streams need create).'),
    idColumn: Type.Optional(Column('Column whose value is the id of the document; a hash of the row when left out.')),
    routingColumn: Type.Optional(Column('Column whose value chooses the shard.')),
    pipeline: Type.Optional(Text('Ingest pipeline that documents pass.')),
    refresh: Choice(['false', 'true', 'wait_for'], 'false', 'Whether documents can be found before the write is answered.'),
    timeoutMs,
  }),
  credentials: Type.Optional(
    Login({
      ...userAndPassword,
      apiKey: Type.Optional(SecretText({ description: 'API key in its encoded form, in place of user name and password.' })),
      token: Type.Optional(SecretText({ description: 'Bearer token, in place of user name and password.' })),
    }),
  ),
  example: {
    store: { name: 'search' },
    configuration: { url: 'https://search.example:9200', index: 'prices', idColumn: 'sku' },
    credentials: { apiKey: 'example-api-key', tls: { enabled: true } },
  },
})
