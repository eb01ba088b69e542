import { Flag, Text } from '../fields.ts'
import { awsSettings } from './aws.ts'
import { AwsLogin } from './logins.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A delivery stream of Amazon Data Firehose. */
export const awsKinesisFirehose = defineStoreType({
  title: 'Amazon Data Firehose',
  summary: 'Puts every row as one JSON record on a delivery stream.',
  configuration: Settings({
    deliveryStreamName: Text('Delivery stream to write to.', { maxLength: 64 }),
    newline: Flag(true, 'Whether a line break follows every record, so that delivered files are NDJSON.'),
    ...awsSettings,
  }),
  credentials: AwsLogin,
  example: {
    store: { name: 'archive' },
    configuration: { deliveryStreamName: 'archive', region: 'eu-central-1' },
    credentials: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key' },
  },
})
