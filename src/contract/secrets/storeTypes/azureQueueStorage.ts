import { Type } from 'typebox'
import { Choice, Text } from '../fields.ts'
import { azureSettings } from './azure.ts'
import { AzureLogin } from './logins.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A queue of Azure Queue Storage. */
export const azureQueueStorage = defineStoreType({
  title: 'Azure Queue Storage',
  summary: 'Sends every row as one JSON message to a queue.',
  configuration: Settings({
    queue: Text('Queue to send to.', { maxLength: 63 }),
    encoding: Choice(['base64', 'text'], 'base64', 'How messages are written; most readers expect base64.'),
    messageTtlSeconds: Type.Optional(
      Type.Integer({ minimum: -1, default: 604_800, description: 'Seconds that a message is kept; -1 keeps it for ever.' }),
    ),
    visibilityTimeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 604_800, default: 0, description: 'Seconds before a message is handed out.' }),
    ),
    ...azureSettings,
  }),
  credentials: AzureLogin,
  example: {
    store: { name: 'tasks' },
    configuration: { account: 'examplelake', queue: 'tasks' },
    credentials: { sasToken: 'example-sas-token' },
  },
})
