import { Type } from 'typebox'
import { OneOf } from '../../schemas.ts'
import { Text } from '../fields.ts'
import { GcpLogin } from './logins.ts'
import { endpoint, prefix, serialization, timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A bucket of Google Cloud Storage. */
export const gcpCloudStorage = defineStoreType({
  title: 'Google Cloud Storage',
  summary: 'Writes every batch of rows as an object of a bucket.',
  configuration: Settings({
    bucket: Text('Bucket to write to.', { maxLength: 222 }),
    prefix,
    storageClass: Type.Optional(
      OneOf(['STANDARD', 'NEARLINE', 'COLDLINE', 'ARCHIVE'], {
        description: 'Storage class of the objects; as the bucket is set when left out.',
      }),
    ),
    ...serialization,
    endpoint,
    timeoutMs,
  }),
  credentials: Type.Optional(GcpLogin),
  example: {
    store: { name: 'objects' },
    configuration: { bucket: 'example-objects', prefix: 'prices/', compression: 'gzip' },
    credentials: { serviceAccountKey: '{"type":"service_account","client_email":"loader@project.example","private_key":"example"}' },
  },
})
