import { Type } from 'typebox'
import { Closed, OneOf, SecretText } from '../../schemas.ts'
import { needsOneOf, needsWhen, type Condition } from '../conditions.ts'
import { Host, HttpUrl, Text } from '../fields.ts'
import { oauthMappings } from '../oauthMappings.ts'
import { clientAuthentications, grantTypes } from '../oauthProviders.ts'
import { CredentialsOf, defineCredentialType, Scopes } from './shape.ts'

const client = {
  grantType: OneOf(grantTypes, { description: 'How tokens are asked for.' }),
  clientId: Text('Id of the client.'),
  clientSecret: Type.Optional(SecretText({ description: 'Secret of the client; public clients have none.' })),
  authentication: Type.Optional(
    OneOf(clientAuthentications, {
      description: 'Where the client id and secret are sent; as the provider wants it, and else in the header, when left out.',
    }),
  ),
} as const

const place = {
  provider: Type.Optional(
    OneOf(
      oauthMappings.map(({ provider }) => provider),
      { description: 'A provider of the list of OAuth mappings, which knows the addresses.' },
    ),
  ),
  domain: Type.Optional(Host('Host that stands for {domain} in the addresses of the provider.')),
  tenant: Type.Optional(
    Text('Directory or realm that stands for {tenant} in the addresses of the provider.', {
      pattern: '^[A-Za-z0-9][A-Za-z0-9._\\-]*$',
      explain: 'must have letters, digits, dots, dashes and underscores only',
    }),
  ),
  tokenUrl: Type.Optional(HttpUrl('Where tokens are asked for; it goes before the address of the provider.')),
} as const

const request = {
  scopes: Type.Optional(Scopes('Scopes to ask for; those that the client has by itself when left out.')),
  audience: Type.Optional(Text('Audience of the tokens, for providers that want one.')),
  username: Type.Optional(Text('User name, for the grant password.')),
  password: Type.Optional(SecretText({ description: 'Password, for the grant password.' })),
  refreshToken: Type.Optional(
    SecretText({ description: 'Refresh token; where the provider answers a new one, that one is kept instead.' }),
  ),
  code: Type.Optional(
    SecretText({ description: 'Code that the provider handed out after consent. It is used once, for a refresh token, which is kept.' }),
  ),
  codeVerifier: Type.Optional(SecretText({ description: 'Proof key (PKCE) with which the code was asked for.' })),
  redirectUri: Type.Optional(Text('Redirect address with which the code was asked for.')),
} as const

function providersThatNeed(placeholder: string): string[] {
  return oauthMappings.filter(({ tokenUrl }) => tokenUrl.includes(placeholder)).map(({ provider }) => provider)
}

const conditions: readonly Condition[] = [
  needsOneOf(['provider'], ['tokenUrl']),
  needsWhen('provider', providersThatNeed('{domain}'), ['domain']),
  needsWhen('provider', providersThatNeed('{tenant}'), ['tenant']),
  needsWhen('grantType', ['client_credentials'], ['clientSecret']),
  needsWhen('grantType', ['password'], ['username', 'password']),
  needsWhen('grantType', ['refresh_token'], ['refreshToken']),
  needsWhen('grantType', ['authorization_code'], ['refreshToken'], ['code', 'redirectUri']),
]

/** A client of an OAuth 2.0 provider, from which access tokens are got and renewed. */
export const oauth = defineCredentialType({
  title: 'OAuth 2.0',
  summary: 'Gets access tokens from an OAuth 2.0 provider, keeps them while they last, and sends them as bearer tokens.',
  credentials: CredentialsOf({
    oauth: Closed({ ...client, ...place, ...request }, { description: 'The client, its provider and its grant.', allOf: [...conditions] }),
  }),
  example: {
    credential: { name: 'orders' },
    credentials: {
      oauth: {
        grantType: 'client_credentials',
        tokenUrl: 'https://login.example/oauth/token',
        clientId: 'example-client',
        clientSecret: 'example-client-secret',
        scopes: ['orders.read'],
      },
    },
  },
})
