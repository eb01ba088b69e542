import { Type } from 'typebox'
import { Closed, SecretText } from '../../schemas.ts'
import { needsOneOf } from '../conditions.ts'
import { Choice, Text } from '../fields.ts'
import { CredentialsOf, defineCredentialType } from './shape.ts'

/** A Splunk token, or a login for Basic authentication. */
export const splunk = defineCredentialType({
  title: 'Splunk',
  summary: 'Authorizes requests to Splunk with a token, or with a user name and password.',
  credentials: CredentialsOf({
    splunk: Closed(
      {
        token: Type.Optional(SecretText({ description: 'Token of the event collector, session key or authentication token.' })),
        scheme: Choice(
          ['Splunk', 'Bearer'],
          'Splunk',
          'Word before the token: Splunk for the event collector and session keys, Bearer for authentication tokens.',
        ),
        username: Type.Optional(Text('User name, where no token is used.')),
        password: Type.Optional(SecretText({ description: 'Password of that user.' })),
      },
      {
        description: 'A token, or a user name and password.',
        allOf: [needsOneOf(['token'], ['username', 'password'])],
      },
    ),
  }),
  example: { credential: { name: 'splunk search' }, credentials: { splunk: { token: 'example-token', scheme: 'Bearer' } } },
})
