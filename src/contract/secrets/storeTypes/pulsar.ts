import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Choice, Text, Url } from '../fields.ts'
import { Column, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A topic of Apache Pulsar. */
export const pulsar = defineStoreType({
  title: 'Apache Pulsar',
  summary: 'Produces every row as one JSON message to a topic.',
  configuration: Settings({
    url: Url(['pulsar+ssl', 'pulsar', 'wss', 'ws'], 'Address of the service: its binary protocol, or its WebSocket interface.'),
    topic: Text('Topic in full, such as persistent://public/default/rows.', {
      pattern: '^(?:non-)?persistent://[^\\s/]+/[^\\s/]+/[^\\s/]+$',
      explain: 'must be a topic in full, such as persistent://public/default/rows',
    }),
    producerName: Type.Optional(Text('Name of the producer; the broker chooses one when left out.')),
    keyColumn: Type.Optional(Column('Column whose value is the key of the message.')),
    compression: Choice(['none', 'lz4', 'zlib', 'zstd', 'snappy'], 'none', 'How messages are compressed.'),
    timeoutMs,
  }),
  credentials: Type.Optional(Login({ token: Type.Optional(SecretText({ description: 'Token (JWT) of the client.' })) })),
  example: {
    store: { name: 'stream' },
    configuration: { url: 'pulsar+ssl://pulsar.example:6651', topic: 'persistent://public/default/rows', keyColumn: 'sku' },
    credentials: { token: 'example-token', tls: { enabled: true } },
  },
})
