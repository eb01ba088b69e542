import { Type } from 'typebox'
import { Closed, SecretText } from '../../schemas.ts'
import { Text } from '../fields.ts'
import { CredentialsOf, defineCredentialType, Scopes } from './shape.ts'

/** A service account of Google Cloud. */
export const gcp = defineCredentialType({
  title: 'Google Cloud service account',
  summary: 'Authorizes requests to Google APIs with the key of a service account.',
  credentials: CredentialsOf({
    gcp: Closed(
      {
        serviceAccountKey: SecretText({ description: 'The key file of the service account: its JSON, as one text.' }),
        scopes: Type.Optional(Scopes('Scopes of the tokens.', { default: ['https://www.googleapis.com/auth/cloud-platform'] })),
        subject: Type.Optional(Text('User to act for, where the service account has domain-wide delegation.')),
      },
      { description: 'The key, and what is asked for with it.' },
    ),
  }),
  example: {
    credential: { name: 'analytics reader' },
    credentials: {
      gcp: {
        serviceAccountKey: '{"type":"service_account","client_email":"reader@project.example","private_key":"example"}',
        scopes: ['https://www.googleapis.com/auth/bigquery.readonly'],
      },
    },
  },
})
