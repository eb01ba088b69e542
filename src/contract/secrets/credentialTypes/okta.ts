import { Closed, SecretText } from '../../schemas.ts'
import { CredentialsOf, defineCredentialType } from './shape.ts'

/** An API token of an Okta organization. */
export const okta = defineCredentialType({
  title: 'Okta',
  summary:
    'Authorizes requests to the management API of an Okta organization (scheme SSWS). For OAuth apps use oauth with the provider okta.',
  credentials: CredentialsOf({
    okta: Closed({ apiToken: SecretText({ description: 'API token of the organization.' }) }, { description: 'The token.' }),
  }),
  example: { credential: { name: 'directory' }, credentials: { okta: { apiToken: 'example-api-token' } } },
})
