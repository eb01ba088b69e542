import type { OpenedCredential } from '../outside.ts'
import { fieldsOf, unusable } from './fields.ts'

/** The one secret that the token `$CREDENTIALS.name$` stands for. */
export function secretValueOf(credential: OpenedCredential): string {
  const value = secretOf(credential)
  if (value === undefined) throw unusable(credential, 'holds no secret that a token could stand for')
  return value
}

function secretOf(credential: OpenedCredential): string | undefined {
  switch (credential.type) {
    case 'oauth': {
      const { clientSecret, refreshToken, password } = fieldsOf(credential, 'oauth')
      return clientSecret ?? refreshToken ?? password
    }
    case 'custom':
      return fieldsOf(credential, 'custom').value
    case 'aws4':
      return fieldsOf(credential, 'aws4').secretAccessKey
    case 'splunk':
      return fieldsOf(credential, 'splunk').token ?? fieldsOf(credential, 'splunk').password
    case 'openai':
      return fieldsOf(credential, 'openai').apiKey
    case 'pinecone':
      return fieldsOf(credential, 'pinecone').apiKey
    case 'okta':
      return fieldsOf(credential, 'okta').apiToken
    case 'gcp':
      return fieldsOf(credential, 'gcp').serviceAccountKey
    default:
      return undefined
  }
}
