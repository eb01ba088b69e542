import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Choice, HttpUrl, Text } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { Column, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A graph of Graphistry: every row is an edge. */
export const graphistry = defineStoreType({
  title: 'Graphistry',
  summary: 'Uploads rows as the edges of a graph to look at.',
  configuration: Type.Optional(
    Settings({
      url: Type.Optional(HttpUrl('Address of the server.', { default: 'https://hub.graphistry.com' })),
      graphName: Type.Optional(Text('Name of the graph; the one of the store when left out.')),
      sourceColumn: Type.Optional(Column('Column with the node where an edge begins.', { default: 'source' })),
      destinationColumn: Type.Optional(Column('Column with the node where an edge ends.', { default: 'destination' })),
      visibility: Choice(['private', 'organization', 'public'], 'private', 'Who may look at the graph.'),
      timeoutMs,
    }),
  ),
  credentials: Type.Optional(
    Login(
      {
        ...userAndPassword,
        organization: Type.Optional(Text('Organization to sign in to.')),
        personalKeyId: Type.Optional(Text('Id of a personal key, in place of user name and password.')),
        personalKeySecret: Type.Optional(SecretText({ description: 'Secret of that personal key.' })),
      },
      { dependentRequired: { personalKeyId: ['personalKeySecret'], personalKeySecret: ['personalKeyId'] } },
    ),
  ),
  example: {
    store: { name: 'graph' },
    configuration: { sourceColumn: 'from', destinationColumn: 'to', throughput: 10 },
    processors: ['table from to'],
    credentials: { personalKeyId: 'example-key-id', personalKeySecret: 'example-key-secret', tls: { enabled: true } },
  },
})
