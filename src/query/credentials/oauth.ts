import { ClientSecretBasic, ClientSecretPost, None, type ClientAuth } from 'oauth4webapi'
import { oauthMappings, type OauthMapping } from '../../contract/secrets/oauthMappings.ts'
import type { OpenedCredential } from '../outside.ts'
import { fieldsOf, unusable, type CredentialContext, type FieldsOf } from './fields.ts'
import { keepRefreshToken, latestRefreshToken } from './refreshTokens.ts'
import type { AccessToken } from './tokenCache.ts'
import { requestToken } from './tokenEndpoint.ts'

type OauthFields = FieldsOf<'oauth'>

/** Asks the provider of an oauth credential for an access token, by the credential's grant. */
export async function askOauthToken(credential: OpenedCredential, context: CredentialContext): Promise<AccessToken> {
  const fields = fieldsOf(credential, 'oauth')
  const mapping = oauthMappings.find(({ provider }) => provider === fields.provider)
  const { grantType, parameters } = grantOf(credential, fields)
  const audience = fields.audience === undefined ? {} : { audience: fields.audience }
  const request = {
    url: tokenUrlOf(credential, fields, mapping),
    client: { client_id: fields.clientId },
    authentication: authenticationOf(fields, mapping),
    grantType,
    parameters: { ...parameters, ...scopeOf(fields, mapping, grantType), ...audience },
  }
  const { token, refreshToken } = await requestToken(credential, request, context)
  if (refreshToken !== undefined) await keepRefreshToken(credential, refreshToken, context)
  return token
}

function tokenUrlOf(credential: OpenedCredential, { tokenUrl, domain, tenant }: OauthFields, mapping: OauthMapping | undefined): string {
  const url = tokenUrl ?? mapping?.tokenUrl.replaceAll('{domain}', domain ?? '').replaceAll('{tenant}', tenant ?? '')
  if (url === undefined || !URL.canParse(url)) {
    throw unusable(credential, 'has no address to ask for tokens; give it a provider or a tokenUrl')
  }
  return url
}

function authenticationOf({ clientSecret, authentication }: OauthFields, mapping: OauthMapping | undefined): ClientAuth {
  if (clientSecret === undefined) return None()
  const place = authentication ?? mapping?.authentication ?? 'header'
  return place === 'header' ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
}

interface Grant {
  readonly grantType: string
  readonly parameters: Readonly<Record<string, string>>
}

function grantOf(credential: OpenedCredential, fields: OauthFields): Grant {
  const { grantType } = fields
  const refreshToken = latestRefreshToken(credential) ?? fields.refreshToken
  if (grantType === 'password') return { grantType, parameters: { username: fields.username ?? '', password: fields.password ?? '' } }
  if (grantType === 'client_credentials') return { grantType, parameters: {} }
  if (refreshToken !== undefined) return { grantType: 'refresh_token', parameters: { refresh_token: refreshToken } }
  if (fields.code === undefined) throw unusable(credential, 'has neither a refresh token nor a code; give it one of them')
  const verifier = fields.codeVerifier === undefined ? {} : { code_verifier: fields.codeVerifier }
  return { grantType: 'authorization_code', parameters: { code: fields.code, redirect_uri: fields.redirectUri ?? '', ...verifier } }
}

/** A code stands for scopes that were asked for already. */
function scopeOf({ scopes = [] }: OauthFields, mapping: OauthMapping | undefined, grantType: string): { scope?: string } {
  if (scopes.length === 0 || grantType === 'authorization_code') return {}
  return { scope: scopes.join(mapping?.scopeSeparator ?? ' ') }
}
