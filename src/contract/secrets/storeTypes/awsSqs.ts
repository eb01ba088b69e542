import { Type } from 'typebox'
import { HttpUrl } from '../fields.ts'
import { awsSettings, fifoSettings } from './aws.ts'
import { AwsLogin } from './logins.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A queue of Amazon SQS. */
export const awsSqs = defineStoreType({
  title: 'Amazon SQS',
  summary: 'Sends every row as one JSON message to a queue.',
  configuration: Settings({
    queueUrl: HttpUrl('Address of the queue.'),
    delaySeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 900, description: 'Seconds before a message is handed out; as the queue is set when left out.' }),
    ),
    ...fifoSettings,
    ...awsSettings,
  }),
  credentials: AwsLogin,
  example: {
    store: { name: 'orders queue' },
    configuration: {
      queueUrl: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orders.fifo',
      region: 'eu-central-1',
      groupColumn: 'shop',
    },
    credentials: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key' },
  },
})
