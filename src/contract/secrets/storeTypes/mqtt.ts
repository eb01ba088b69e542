import { Type } from 'typebox'
import { Flag, Text, Url } from '../fields.ts'
import { PasswordLogin } from './logins.ts'
import { timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A topic of an MQTT broker. */
export const mqtt = defineStoreType({
  title: 'MQTT',
  summary: 'Publishes every row as one JSON message to a topic.',
  configuration: Settings({
    url: Url(['mqtts', 'mqtt', 'wss', 'ws'], 'Address of the broker.'),
    topic: Text('Topic to publish to.', {
      maxLength: 65_535,
      pattern: '^[^+#]+$',
      explain: 'must be a topic without the wildcards + and #',
    }),
    qos: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2,
        default: 1,
        description: 'Quality of service: 0 at most once, 1 at least once, 2 exactly once.',
      }),
    ),
    retain: Flag(false, 'Whether the broker keeps the last message for new subscribers.'),
    clientId: Type.Optional(Text('Id of the client; a new one each connection when left out.')),
    protocolVersion: Type.Optional(
      Type.Integer({ minimum: 4, maximum: 5, default: 4, description: 'Version of the protocol: 4 is MQTT 3.1.1, 5 is MQTT 5.' }),
    ),
    keepaliveSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 65_535, default: 60, description: 'Seconds between signs of life; 0 sends none.' }),
    ),
    timeoutMs,
  }),
  credentials: Type.Optional(PasswordLogin),
  example: {
    store: { name: 'sensors' },
    configuration: { url: 'mqtts://broker.example:8883', topic: 'quern/rows' },
    credentials: { username: 'publisher', password: 'example-password', tls: { enabled: true } },
  },
})
