import { Type } from 'typebox'
import { Text } from '../fields.ts'
import { Arn, awsSettings, fifoSettings } from './aws.ts'
import { AwsLogin } from './logins.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A topic of Amazon SNS. */
export const awsSns = defineStoreType({
  title: 'Amazon SNS',
  summary: 'Publishes every row as one JSON message to a topic.',
  configuration: Settings({
    topicArn: Arn('sns', 'ARN of the topic.'),
    subject: Type.Optional(Text('Subject of messages that go out as e-mail.', { maxLength: 100 })),
    ...fifoSettings,
    ...awsSettings,
  }),
  credentials: AwsLogin,
  example: {
    store: { name: 'alerts' },
    configuration: { topicArn: 'arn:aws:sns:eu-central-1:123456789012:alerts', region: 'eu-central-1' },
    credentials: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key' },
  },
})
