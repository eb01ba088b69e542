import { Problem } from '../../platform/errors.ts'
import type { OpenedCredential } from '../outside.ts'
import { fieldsOf, unusable, type CredentialContext } from './fields.ts'
import { accessToken } from './tokens.ts'

/** The headers that a credential yields for any request; those of a signature depend on the request, so aws4 has none. */
export async function credentialHeaders(credential: OpenedCredential, context: CredentialContext): Promise<Readonly<Record<string, string>>> {
  const headers = await headersOf(credential, context)
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw unusable(credential, `has a value that cannot be sent in the header ${name}: it must be one line of plain characters`)
    }
  }
  return headers
}

async function headersOf(credential: OpenedCredential, context: CredentialContext): Promise<Record<string, string>> {
  switch (credential.type) {
    case 'oauth':
    case 'gcp':
      return { Authorization: `Bearer ${(await accessToken(credential, context)).access}` }
    case 'custom':
      return { Authorization: fieldsOf(credential, 'custom').value.trim() }
    case 'splunk':
      return { Authorization: splunkAuthorization(credential) }
    case 'openai':
      return openaiHeaders(credential)
    case 'pinecone':
      return pineconeHeaders(credential)
    case 'okta':
      return { Authorization: `SSWS ${fieldsOf(credential, 'okta').apiToken.trim()}` }
    case 'aws4':
      throw unusable(
        credential,
        'signs a request as a whole and so yields no headers by itself; give it to the command that sends, with --credentials.aws4',
      )
    default:
      throw new Problem(
        'command_failed',
        `The credential ${JSON.stringify(credential.name)} has the type ${JSON.stringify(credential.type)}, which no request can use.`,
      )
  }
}

function splunkAuthorization(credential: OpenedCredential): string {
  const { token, scheme = 'Splunk', username, password } = fieldsOf(credential, 'splunk')
  if (token !== undefined) return `${scheme} ${token.trim()}`
  return basicAuthorization(username ?? '', password ?? '')
}

/** A user name and password as the value of an Authorization header. */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function openaiHeaders(credential: OpenedCredential): Record<string, string> {
  const { apiKey, organization, project } = fieldsOf(credential, 'openai')
  return {
    Authorization: `Bearer ${apiKey.trim()}`,
    ...(organization === undefined ? {} : { 'OpenAI-Organization': organization }),
    ...(project === undefined ? {} : { 'OpenAI-Project': project }),
  }
}

function pineconeHeaders(credential: OpenedCredential): Record<string, string> {
  const { apiKey, apiVersion } = fieldsOf(credential, 'pinecone')
  return { 'Api-Key': apiKey.trim(), ...(apiVersion === undefined ? {} : { 'X-Pinecone-API-Version': apiVersion }) }
}
