import { createHash } from 'node:crypto'
import type { OpenedCredential } from '../outside.ts'
import { unusable, type CredentialContext } from './fields.ts'
import { askGcpToken } from './gcp.ts'
import { askOauthToken } from './oauth.ts'
import { TokenCache, type AccessToken } from './tokenCache.ts'

const tokens = new TokenCache()

/** An access token of a credential that has to ask for one: a kept one while it lasts. */
export async function accessToken(credential: OpenedCredential, context: CredentialContext): Promise<AccessToken> {
  const ask = askerOf(credential)
  return tokens.get(keyOf(credential), context.signal, () => ask(credential, context))
}

function askerOf(credential: OpenedCredential): typeof askOauthToken {
  if (credential.type === 'oauth') return askOauthToken
  if (credential.type === 'gcp') return askGcpToken
  throw unusable(credential, 'gets no access tokens; only credentials of the types oauth and gcp do')
}

/** Besides name and version the values count: a credential that is deleted and made again begins at version 1 again. */
function keyOf({ name, type, version, values }: OpenedCredential): string {
  return createHash('sha256').update(JSON.stringify([name, type, version, values])).digest('base64')
}
