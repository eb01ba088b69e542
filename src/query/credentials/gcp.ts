import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'oauth4webapi'
import type { OpenedCredential } from '../outside.ts'
import { fieldsOf, unusable, type CredentialContext } from './fields.ts'
import type { AccessToken } from './tokenCache.ts'
import { requestToken } from './tokenEndpoint.ts'

const usualTokenUrl = 'https://oauth2.googleapis.com/token'
const usualScope = 'https://www.googleapis.com/auth/cloud-platform'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The statement itself tells who asks. */
const bySignature: ClientAuth = () => {}

interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly keyId?: string
  readonly tokenUrl: string
}

/** Exchanges a statement that the service account's key signs for an access token (RFC 7523). */
export async function askGcpToken(credential: OpenedCredential, context: CredentialContext): Promise<AccessToken> {
  const account = accountOf(credential)
  const assertion = await signedStatement(credential, account)
  const client = { client_id: account.email }
  const request = { url: account.tokenUrl, client, authentication: bySignature, grantType, parameters: { assertion } }
  return (await requestToken(credential, request, context)).token
}

async function signedStatement(credential: OpenedCredential, { email, privateKey, keyId, tokenUrl }: ServiceAccount): Promise<string> {
  const { scopes = [usualScope], subject } = fieldsOf(credential, 'gcp')
  const statement = new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
  if (subject !== undefined) statement.setSubject(subject)
  return statement.sign(await keyOf(credential, privateKey))
}

async function keyOf(credential: OpenedCredential, privateKey: string): ReturnType<typeof importPKCS8> {
  try {
    return await importPKCS8(privateKey, 'RS256')
  } catch {
    throw unusable(credential, 'holds a service account key whose private_key is no PKCS #8 key; store the key file as it was downloaded')
  }
}

function accountOf(credential: OpenedCredential): ServiceAccount {
  const file = readKeyFile(fieldsOf(credential, 'gcp').serviceAccountKey)
  const { client_email: email, private_key: privateKey, private_key_id: keyId, token_uri: tokenUrl = usualTokenUrl } = file ?? {}
  if (typeof email !== 'string' || typeof privateKey !== 'string' || typeof tokenUrl !== 'string' || !URL.canParse(tokenUrl)) {
    throw unusable(
      credential,
      'holds no key file of a service account: JSON with client_email and private_key; store the file as it was downloaded',
    )
  }
  return { email, privateKey, tokenUrl, ...(typeof keyId === 'string' ? { keyId } : {}) }
}

function readKeyFile(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const file: unknown = JSON.parse(text)
    return typeof file === 'object' && file !== null ? { ...file } : undefined
  } catch {
    return undefined
  }
}
