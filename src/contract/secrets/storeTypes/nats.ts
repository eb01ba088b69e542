import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Flag, Text, Url } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A subject of NATS, with or without JetStream. */
export const nats = defineStoreType({
  title: 'NATS',
  summary: 'Publishes every row as one JSON message to a subject.',
  configuration: Settings({
    servers: Type.Array(Url(['nats', 'tls'], 'Address of one server.'), {
      minItems: 1,
      maxItems: 100,
      description: 'Servers of the cluster; the first that answers is used.',
    }),
    subject: Text('Subject to publish to.', {
      pattern: '^[^\\s.*>]+(?:\\.[^\\s.*>]+)*$',
      explain: 'must be words with dots between them, without the wildcards * and >',
    }),
    jetStream: Flag(false, 'Whether a stream stores the messages and confirms each of them.'),
    idColumn: Type.Optional(Text('JetStream only: column whose value tells duplicates; a hash of the row when left out.')),
    timeoutMs,
  }),
  credentials: Type.Optional(
    Login(
      {
        ...userAndPassword,
        token: Type.Optional(SecretText({ description: 'Token, in place of user name and password.' })),
        jwt: Type.Optional(SecretText({ description: 'JWT of the user, for decentralized authentication.' })),
        nkeySeed: Type.Optional(SecretText({ description: 'Seed of the key of the user, alone or with a JWT.' })),
      },
      { dependentRequired: { jwt: ['nkeySeed'] } },
    ),
  ),
  example: {
    store: { name: 'events' },
    configuration: { servers: ['nats://nats-1.example:4222', 'nats://nats-2.example:4222'], subject: 'quern.rows', jetStream: true },
    credentials: { token: 'example-token' },
  },
})
