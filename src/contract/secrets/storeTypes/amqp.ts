import { Type } from 'typebox'
import { needsOneOf } from '../conditions.ts'
import { Flag, Text, Url } from '../fields.ts'
import { PasswordLogin } from './logins.ts'
import { timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A queue or an exchange of an AMQP 0-9-1 broker. */
export const amqp = defineStoreType({
  title: 'AMQP',
  summary: 'Publishes every row as one JSON message to a queue or an exchange, and waits for the confirmation of the broker.',
  configuration: Settings(
    {
      url: Url(['amqps', 'amqp'], 'Address of the broker; the path is the virtual host.'),
      queue: Type.Optional(Text('Queue to send to, through the default exchange.', { maxLength: 255 })),
      exchange: Type.Optional(Text('Exchange to publish to, in place of a queue.', { maxLength: 255 })),
      routingKey: Type.Optional(Type.String({ maxLength: 255, default: '', description: 'Routing key of messages to an exchange.' })),
      persistent: Flag(true, 'Whether messages survive a restart of the broker.'),
      timeoutMs,
    },
    { allOf: [needsOneOf(['queue'], ['exchange'])] },
  ),
  credentials: Type.Optional(PasswordLogin),
  example: {
    store: { name: 'work queue' },
    configuration: { url: 'amqps://broker.example/quern', exchange: 'rows', routingKey: 'rows.new' },
    credentials: { username: 'publisher', password: 'example-password' },
  },
})
