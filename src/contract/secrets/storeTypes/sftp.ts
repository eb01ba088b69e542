import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Host, Text } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { Folder, Port, serialization, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A folder of a server that speaks SSH. */
export const sftp = defineStoreType({
  title: 'SFTP',
  summary: 'Writes every batch of rows as a file of a folder, under a temporary name until it is whole.',
  configuration: Settings({
    host: Host('Host of the server.'),
    port: Type.Optional(Port(22)),
    directory: Type.Optional(Folder('Folder of the files; the one after login when left out.')),
    hostFingerprint: Type.Optional(
      Text('Fingerprint that the key of the server must have; any key is taken when left out.', {
        pattern: '^SHA256:[A-Za-z0-9+/]{43}=?$',
        explain: 'must be a fingerprint as ssh-keygen -l prints it, which begins with SHA256:',
      }),
    ),
    ...serialization,
    timeoutMs,
  }),
  credentials: Type.Optional(
    Login({
      ...userAndPassword,
      privateKey: Type.Optional(SecretText({ description: 'Private key in OpenSSH or PEM form, in place of the password.' })),
      passphrase: Type.Optional(SecretText({ description: 'Passphrase of that key.' })),
    }),
  ),
  example: {
    store: { name: 'drop box' },
    configuration: { host: 'files.example', directory: 'incoming/rows', format: 'csv' },
    credentials: { username: 'loader', password: 'example-password' },
  },
})
