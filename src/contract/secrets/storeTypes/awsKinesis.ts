import { Type } from 'typebox'
import { Text } from '../fields.ts'
import { awsSettings } from './aws.ts'
import { AwsLogin } from './logins.ts'
import { Column } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A stream of Amazon Kinesis. */
export const awsKinesis = defineStoreType({
  title: 'Amazon Kinesis Data Streams',
  summary: 'Puts every row as one JSON record on a stream.',
  configuration: Settings({
    streamName: Text('Stream to write to.', { maxLength: 128 }),
    partitionKeyColumn: Type.Optional(Column('Column whose value chooses the shard; a hash of the row when left out.')),
    ...awsSettings,
  }),
  credentials: AwsLogin,
  example: {
    store: { name: 'clicks' },
    configuration: { streamName: 'clicks', region: 'eu-central-1', partitionKeyColumn: 'session' },
    credentials: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key' },
  },
})
