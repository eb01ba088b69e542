import { Type } from 'typebox'
import { Closed, SecretText } from '../../schemas.ts'
import { Text } from '../fields.ts'
import { CredentialsOf, defineCredentialType } from './shape.ts'

/** A key of the Pinecone vector database. */
export const pinecone = defineCredentialType({
  title: 'Pinecone',
  summary: 'Authorizes requests to Pinecone with an API key.',
  credentials: CredentialsOf({
    pinecone: Closed(
      {
        apiKey: SecretText({ description: 'API key of the project.' }),
        apiVersion: Type.Optional(Text('Version of the API to ask for, such as 2025-01; the newest stable one when left out.')),
      },
      { description: 'The key, and the version it is used with.' },
    ),
  }),
  example: { credential: { name: 'vectors' }, credentials: { pinecone: { apiKey: 'example-api-key' } } },
})
