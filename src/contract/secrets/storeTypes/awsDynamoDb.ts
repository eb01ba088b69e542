import { Choice, Text } from '../fields.ts'
import { awsSettings } from './aws.ts'
import { AwsLogin } from './logins.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A table of Amazon DynamoDB. */
export const awsDynamoDb = defineStoreType({
  title: 'Amazon DynamoDB',
  summary: 'Puts every row as one item of a table; rows need the key attributes of the table.',
  configuration: Settings({
    tableName: Text('Table to write to.', { maxLength: 255 }),
    onExisting: Choice(['replace', 'keep'], 'replace', 'What happens to an item that already has the key.'),
    ...awsSettings,
  }),
  credentials: AwsLogin,
  example: {
    store: { name: 'catalogue' },
    configuration: { tableName: 'catalogue', region: 'eu-central-1' },
    credentials: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key' },
  },
})
