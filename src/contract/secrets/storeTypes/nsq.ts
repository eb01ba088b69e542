import { Type } from 'typebox'
import { HttpUrl, Text } from '../fields.ts'
import { timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A topic of an nsqd, reached by its HTTP interface. */
export const nsq = defineStoreType({
  title: 'NSQ',
  summary: 'Publishes every row as one JSON message to a topic, by the HTTP interface of nsqd.',
  configuration: Settings({
    url: HttpUrl('HTTP address of nsqd; its usual port is 4151.'),
    topic: Text('Topic to publish to.', {
      pattern: '^[.a-zA-Z0-9_\\-]{1,64}(?:#ephemeral)?$',
      explain: 'must have 1 to 64 characters out of A–Z a–z 0–9 . _ - and may end with #ephemeral',
    }),
    deferMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600_000,
        default: 0,
        description: 'Milliseconds before a message is handed out; each row is then a request of its own.',
      }),
    ),
    timeoutMs,
  }),
  credentials: Type.Optional(Login({})),
  example: { store: { name: 'rows topic' }, configuration: { url: 'http://nsqd.example:4151', topic: 'rows' } },
})
