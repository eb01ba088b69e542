import { Type, type Static } from 'typebox'
import { OneOf } from '../schemas.ts'
import { clientAuthentications, grantTypes, oauthProviders, type OauthEndpoints } from './oauthProviders.ts'

/** One OAuth 2.0 provider as an answer shows it. */
export const OauthMapping = Type.Object({
  provider: Type.String({ description: 'Name to use as `provider` of an oauth credential.' }),
  title: Type.String(),
  authorizationUrl: Type.String({
    description: 'Where a person gives consent; `{domain}` and `{tenant}` stand for the fields of the credential.',
  }),
  tokenUrl: Type.String({ description: 'Where tokens are asked for; `{domain}` and `{tenant}` stand for the fields of the credential.' }),
  grantTypes: Type.Array(OneOf(grantTypes)),
  authentication: OneOf(clientAuthentications),
  scopeSeparator: Type.String({ description: 'What stands between two scopes.' }),
})
export type OauthMapping = Static<typeof OauthMapping>

function toMapping([provider, endpoints]: readonly [string, OauthEndpoints]): OauthMapping {
  const { scopeSeparator = ' ', grantTypes: grants, ...rest } = endpoints
  return { provider, ...rest, grantTypes: [...grants], scopeSeparator }
}

/** Well-known OAuth 2.0 providers, so that a credential need only name one of them. */
export const oauthMappings: readonly OauthMapping[] = Object.entries<OauthEndpoints>(oauthProviders).map(toMapping)
