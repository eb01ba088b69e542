import { Type } from 'typebox'
import { Flag, Text, Url } from '../fields.ts'
import { PasswordLogin } from './logins.ts'
import { timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A channel of Redis. */
export const redisPubSub = defineStoreType({
  title: 'Redis Pub/Sub',
  summary: 'Publishes every row as one JSON message to a channel; nobody keeps it for subscribers that come later.',
  configuration: Settings({
    url: Url(['rediss', 'redis'], 'Address of the server.'),
    channel: Text('Channel to publish to.'),
    sharded: Flag(false, 'Whether to publish to one shard of a cluster only (SPUBLISH).'),
    timeoutMs,
  }),
  credentials: Type.Optional(PasswordLogin),
  example: {
    store: { name: 'live rows' },
    configuration: { url: 'rediss://redis.example:6380', channel: 'rows' },
    credentials: { username: 'publisher', password: 'example-password' },
  },
})
