import { Type } from 'typebox'
import { Choice, Host, Text } from '../fields.ts'
import { PasswordLogin } from './logins.ts'
import { Port, timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

const consistencies = ['any', 'one', 'two', 'three', 'quorum', 'all', 'localQuorum', 'eachQuorum', 'localOne'] as const

/** A table of Apache Cassandra or a database that speaks its protocol. */
export const cassandra = defineStoreType({
  title: 'Apache Cassandra',
  summary: 'Writes rows to a table; a row with the key of an older one replaces it.',
  configuration: Settings({
    contactPoints: Type.Array(Host('Host of one node.'), {
      minItems: 1,
      maxItems: 100,
      description: 'Nodes from which the others are learnt.',
    }),
    port: Type.Optional(Port(9042)),
    localDataCenter: Type.Optional(Text('Data centre whose nodes are used.', { default: 'datacenter1' })),
    keyspace: Text('Keyspace of the table.', { maxLength: 48 }),
    table: Text('Table to write to.', { maxLength: 222 }),
    consistency: Choice(consistencies, 'localQuorum', 'How many nodes must confirm a write.'),
    ttlSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 630_720_000,
        description: 'Seconds after which rows vanish; as the table is set when left out.',
      }),
    ),
    timeoutMs,
  }),
  credentials: Type.Optional(PasswordLogin),
  example: {
    store: { name: 'history' },
    configuration: { contactPoints: ['node-1.example', 'node-2.example'], keyspace: 'shop', table: 'prices' },
    credentials: { username: 'loader', password: 'example-password' },
  },
})
