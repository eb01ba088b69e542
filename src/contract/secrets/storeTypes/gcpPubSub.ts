import { Type } from 'typebox'
import { Text } from '../fields.ts'
import { GcpLogin } from './logins.ts'
import { Column, endpoint, ProjectId, timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A topic of Google Cloud Pub/Sub. */
export const gcpPubSub = defineStoreType({
  title: 'Google Cloud Pub/Sub',
  summary: 'Publishes every row as one JSON message to a topic.',
  configuration: Settings({
    topic: Text('Topic to publish to: its short name.', {
      pattern: '^[A-Za-z][A-Za-z0-9._~+%\\-]{2,254}$',
      explain: 'must be the short name of a topic: 3 to 255 characters, a letter first',
    }),
    projectId: Type.Optional(ProjectId),
    orderingKeyColumn: Type.Optional(Column('Column whose value is the ordering key; messages have no order when left out.')),
    endpoint,
    timeoutMs,
  }),
  credentials: Type.Optional(GcpLogin),
  example: {
    store: { name: 'messages' },
    configuration: { topic: 'rows', projectId: 'example-project' },
    credentials: { serviceAccountKey: '{"type":"service_account","client_email":"loader@project.example","private_key":"example"}' },
  },
})
