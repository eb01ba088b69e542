import * as oauth from 'oauth4webapi'
import { Problem } from '../../platform/errors.ts'
import type { OpenedCredential } from '../outside.ts'
import { unusable, withoutSecrets, type CredentialContext } from './fields.ts'
import type { AccessToken } from './tokenCache.ts'

/** How one token is asked for. */
export interface TokenRequest {
  readonly url: string
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  readonly grantType: string
  readonly parameters: Readonly<Record<string, string>>
}

/** A token, and the refresh token that came with it. */
export interface Granted {
  readonly token: AccessToken
  readonly refreshToken?: string
}

/** Asks a token endpoint as OAuth 2.0 has it (RFC 6749); refusals are problems without any secret in them. */
export async function requestToken(credential: OpenedCredential, request: TokenRequest, context: CredentialContext): Promise<Granted> {
  const { url, client, authentication, grantType, parameters } = request
  const server: oauth.AuthorizationServer = { issuer: new URL(url).origin, token_endpoint: url }
  let type = ''
  const asked = await oauth.genericTokenEndpointRequest(server, client, authentication, grantType, { ...parameters }, {
    [oauth.customFetch]: async (address, init) => {
      const answer = await exchange(credential, address, init, context)
      type = answer.type
      return answer.response
    },
    // The egress guard and the one who stored the credential decide which addresses may be asked.
    [oauth.allowInsecureRequests]: true,
  })
  try {
    return grantedOf(await oauth.processGenericTokenEndpointResponse(server, client, asked), type)
  } catch (error) {
    throw refusal(credential, url, error)
  }
}

/** Sends the form, and hands the answer on in the shape that the reader of answers insists on. */
async function exchange(
  credential: OpenedCredential,
  url: string,
  { method, headers, body }: oauth.CustomFetchOptions<'POST', URLSearchParams>,
  { outside, signal }: CredentialContext,
): Promise<{ response: Response; type: string }> {
  const incoming = await outside.send({ method, url, headers, body: body.toString(), followRedirects: false }, signal)
  const answer = readAnswer(await incoming.bytes())
  const told = `The token endpoint of the credential ${JSON.stringify(credential.name)} answered with status ${incoming.status}`
  if (incoming.status === 429 || incoming.status >= 500) throw new Problem('target_status', `${told}.`)
  if (!answer) throw new Problem('target_unreadable', `${told} and no JSON object; see that its address is right.`)
  // Some providers answer 200 with an error in it.
  const isGranted = incoming.status >= 200 && incoming.status < 300 && typeof answer['error'] !== 'string'
  const response = new Response(JSON.stringify(readable(answer)), { status: isGranted ? 200 : 400, headers: { 'content-type': 'application/json' } })
  const { token_type: type } = answer
  return { response, type: typeof type === 'string' && type !== '' ? type : 'Bearer' }
}

const read = ['access_token', 'expires_in', 'refresh_token', 'error', 'error_description']

/** The fields that count, without those that providers fill in their own way. */
function readable(answer: Readonly<Record<string, unknown>>): object {
  const fields = Object.entries(answer).filter(([name, value]) => read.includes(name) && value !== null)
  return { ...Object.fromEntries(fields), token_type: 'bearer' }
}

function readAnswer(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(bytes.toString())
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? { ...answer } : undefined
  } catch {
    return undefined
  }
}

function grantedOf(answer: oauth.TokenEndpointResponse, type: string): Granted {
  const { access_token: access, expires_in: lifeS, refresh_token: refreshToken } = answer
  const token = { access, type, gotAtMs: Date.now(), ...(lifeS === undefined ? {} : { lifeS }) }
  return { token, ...(refreshToken === undefined ? {} : { refreshToken }) }
}

function refusal(credential: OpenedCredential, url: string, error: unknown): Problem {
  const { hostname } = new URL(url)
  if (error instanceof oauth.ResponseBodyError) {
    const { error: code, error_description: more } = error
    const reason = withoutSecrets(`${code}${more === undefined ? '' : `: ${more}`}`, credential).slice(0, 500)
    return unusable(credential, `was refused by ${hostname} (${reason}); see that the client, its secret and its grant are right`)
  }
  return new Problem(
    'target_unreadable',
    `The token endpoint ${hostname} of the credential ${JSON.stringify(credential.name)} did not answer with an access token.`,
  )
}
