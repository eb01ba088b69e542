import { Type } from 'typebox'
import { Closed, SecretText } from '../../schemas.ts'
import { Text } from '../fields.ts'
import { CredentialsOf, defineCredentialType } from './shape.ts'

/** An AWS access key, with which requests are signed. */
export const aws4 = defineCredentialType({
  title: 'AWS Signature Version 4',
  summary: 'Signs requests to AWS, and to services that speak its protocol, with an access key.',
  credentials: CredentialsOf({
    aws4: Closed(
      {
        accessKeyId: SecretText({ description: 'Access key id.' }),
        secretAccessKey: SecretText({ description: 'Secret access key.' }),
        sessionToken: Type.Optional(SecretText({ description: 'Session token of temporary credentials.' })),
        region: Type.Optional(Text('Region to sign for; told from the host when left out.')),
        service: Type.Optional(Text('Service to sign for, such as execute-api; told from the host when left out.')),
      },
      { description: 'An access key, and what to sign for.' },
    ),
  }),
  example: {
    credential: { name: 'warehouse reader' },
    credentials: {
      aws4: { accessKeyId: 'example-access-key-id', secretAccessKey: 'example-secret-access-key', region: 'eu-central-1', service: 's3' },
    },
  },
})
