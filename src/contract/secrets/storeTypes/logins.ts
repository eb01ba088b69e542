import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { needsOneOf } from '../conditions.ts'
import { Text } from '../fields.ts'
import { Login } from './shape.ts'

/** A user name and a password. */
export const userAndPassword = {
  username: Type.Optional(Text('User name.')),
  password: Type.Optional(SecretText({ description: 'Password.' })),
} as const

/** The login of most servers: a user name and a password, or nothing. */
export const PasswordLogin = Login(userAndPassword)

const session = Type.Optional(SecretText({ description: 'Session token of temporary credentials.' }))

/** An access key of AWS. */
export const AwsLogin = Login({
  accessKeyId: SecretText({ description: 'Access key id.' }),
  secretAccessKey: SecretText({ description: 'Secret access key.' }),
  sessionToken: session,
})

/** An access key for services that also know public access, whose requests are not signed. */
export const OptionalAwsLogin = Login(
  {
    accessKeyId: Type.Optional(SecretText({ description: 'Access key id; requests are not signed when left out.' })),
    secretAccessKey: Type.Optional(SecretText({ description: 'Secret access key.' })),
    sessionToken: session,
  },
  { dependentRequired: { accessKeyId: ['secretAccessKey'], secretAccessKey: ['accessKeyId'], sessionToken: ['accessKeyId'] } },
)

/** A key of an Azure storage account, or a shared access signature. */
export const AzureLogin = Login(
  {
    accountKey: Type.Optional(SecretText({ description: 'Key of the storage account.' })),
    sasToken: Type.Optional(SecretText({ description: 'Shared access signature, without the question mark.' })),
  },
  { allOf: [needsOneOf(['accountKey'], ['sasToken'])] },
)

/** A service account of Google Cloud. */
export const GcpLogin = Login({
  serviceAccountKey: Type.Optional(
    SecretText({ description: 'The key file of the service account: its JSON, as one text. Only emulators do without.' }),
  ),
})
