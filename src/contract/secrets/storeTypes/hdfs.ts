import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { HttpUrl } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { Folder, serialization, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A folder of Hadoop's file system, reached by WebHDFS. */
export const hdfs = defineStoreType({
  title: 'HDFS',
  summary: 'Writes every batch of rows as a file of a folder, by WebHDFS.',
  configuration: Settings({
    url: HttpUrl('Address of the name node or gateway, up to /webhdfs.'),
    directory: Type.Optional(Folder('Folder of the files.', { default: 'quern' })),
    replication: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 512, description: 'Copies of every block; as the cluster is set when left out.' }),
    ),
    ...serialization,
    timeoutMs,
  }),
  credentials: Type.Optional(
    Login({
      ...userAndPassword,
      delegationToken: Type.Optional(SecretText({ description: 'Delegation token of a secured cluster, in place of the user.' })),
    }),
  ),
  example: {
    store: { name: 'data lake' },
    configuration: { url: 'https://namenode.example:9871', directory: '/data/rows', compression: 'gzip' },
    credentials: { username: 'loader' },
  },
})
