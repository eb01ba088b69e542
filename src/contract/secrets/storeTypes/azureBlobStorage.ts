import { Type } from 'typebox'
import { OneOf } from '../../schemas.ts'
import { Text } from '../fields.ts'
import { azureSettings } from './azure.ts'
import { AzureLogin } from './logins.ts'
import { prefix, serialization } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A container of Azure Blob Storage. */
export const azureBlobStorage = defineStoreType({
  title: 'Azure Blob Storage',
  summary: 'Writes every batch of rows as a blob of a container.',
  configuration: Settings({
    container: Text('Container to write to.', { maxLength: 63 }),
    prefix,
    accessTier: Type.Optional(
      OneOf(['Hot', 'Cool', 'Cold', 'Archive'], { description: 'Access tier of the blobs; as the account is set when left out.' }),
    ),
    ...serialization,
    ...azureSettings,
  }),
  credentials: AzureLogin,
  example: {
    store: { name: 'blobs' },
    configuration: { account: 'examplelake', container: 'rows', prefix: 'prices/' },
    credentials: { accountKey: 'example-account-key' },
  },
})
