import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Choice, Flag, HttpUrl, Text } from '../fields.ts'
import { Column, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** The HTTP event collector of Splunk. */
export const splunkHec = defineStoreType({
  title: 'Splunk HTTP Event Collector',
  summary: 'Sends every row as one event to Splunk.',
  configuration: Settings({
    url: HttpUrl('Address of the collector, without a path; its usual port is 8088.'),
    index: Type.Optional(Text('Index of the events; the one of the token when left out.')),
    source: Type.Optional(Text('Source of the events.', { default: 'quern' })),
    sourcetype: Type.Optional(Text('Source type of the events.', { default: '_json' })),
    host: Type.Optional(Text('Host of the events; the one of the worker when left out.')),
    timestampColumn: Type.Optional(Column('Column with the time of the event, in epoch milliseconds or ISO 8601; now when left out.')),
    acknowledge: Flag(false, 'Whether to wait until the events are indexed; the token must have acknowledgement switched on.'),
    compression: Choice(['none', 'gzip'], 'gzip', 'How requests are compressed.'),
    timeoutMs,
  }),
  credentials: Login({ token: SecretText({ description: 'Token of the collector.' }) }),
  example: {
    store: { name: 'events index' },
    configuration: { url: 'https://splunk.example:8088', index: 'main' },
    credentials: { token: 'example-token', tls: { enabled: true } },
  },
})
