import { Type } from 'typebox'
import { Choice, Flag, HostAndPort, Text } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { Column, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

/** A topic of Apache Kafka. */
export const kafka = defineStoreType({
  title: 'Apache Kafka',
  summary: 'Produces every row as one JSON message to a topic.',
  configuration: Settings({
    brokers: Type.Array(HostAndPort('One broker.'), {
      minItems: 1,
      maxItems: 100,
      description: 'Brokers from which the others are learnt.',
    }),
    topic: Text('Topic to produce to.', {
      pattern: '^[a-zA-Z0-9._\\-]{1,249}$',
      explain: 'must have 1 to 249 characters out of A–Z a–z 0–9 . _ -',
    }),
    clientId: Type.Optional(Text('Name of the client in the logs of the brokers.', { default: 'quern' })),
    keyColumn: Type.Optional(Column('Column whose value is the key, and so chooses the partition; partitions take turns when left out.')),
    acks: Choice(['all', 'leader', 'none'], 'all', 'Which replicas must confirm a message.'),
    compression: Choice(['none', 'gzip'], 'none', 'How batches are compressed.'),
    idempotent: Flag(false, 'Whether the brokers drop what a retry sent twice.'),
    timeoutMs,
  }),
  credentials: Type.Optional(Login({ mechanism: Choice(mechanisms, 'plain', 'SASL mechanism of the login.'), ...userAndPassword })),
  example: {
    store: { name: 'price changes' },
    configuration: { brokers: ['kafka-1.example:9092', 'kafka-2.example:9092'], topic: 'prices', keyColumn: 'sku' },
    credentials: { mechanism: 'scram-sha-512', username: 'producer', password: 'example-password', tls: { enabled: true } },
  },
})
