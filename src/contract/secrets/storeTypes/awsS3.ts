import { Type } from 'typebox'
import { OneOf } from '../../schemas.ts'
import { Choice, Flag, Text } from '../fields.ts'
import { awsSettings } from './aws.ts'
import { OptionalAwsLogin } from './logins.ts'
import { prefix, serialization } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

const storageClasses = [
  'STANDARD',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  'GLACIER',
  'DEEP_ARCHIVE',
  'REDUCED_REDUNDANCY',
] as const

/** A bucket of Amazon S3 or of a service that speaks its protocol. */
export const awsS3 = defineStoreType({
  title: 'Amazon S3',
  summary: 'Writes every batch of rows as an object of a bucket.',
  configuration: Settings({
    bucket: Text('Bucket to write to.', { maxLength: 255 }),
    prefix,
    forcePathStyle: Flag(false, 'Whether the bucket stands in the path and not in the host; many compatible services want it.'),
    storageClass: Choice(storageClasses, 'STANDARD', 'Storage class of the objects.'),
    serverSideEncryption: Type.Optional(
      OneOf(['AES256', 'aws:kms'], { description: 'How S3 encrypts the objects; as the bucket is set when left out.' }),
    ),
    kmsKeyId: Type.Optional(Text('Key of KMS to encrypt with; the one of the account when left out.')),
    ...serialization,
    ...awsSettings,
  }),
  credentials: Type.Optional(OptionalAwsLogin),
  example: {
    store: { name: 'lake' },
    configuration: { bucket: 'example-lake', prefix: 'prices/', region: 'eu-central-1', compression: 'gzip' },
    credentials: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key' },
  },
})
