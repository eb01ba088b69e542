import type { OpenedCredential, Outgoing } from '../outside.ts'
import { signAws4 } from './aws4.ts'
import type { CredentialContext } from './fields.ts'
import { credentialHeaders } from './headers.ts'

export { credentialHeaders } from './headers.ts'
export { secretValueOf } from './secretValue.ts'

/** The request as the credential authorizes it, whose headers win. It comes last: a signature covers all the rest. */
export async function applyCredential(credential: OpenedCredential, request: Outgoing, context: CredentialContext): Promise<Outgoing> {
  if (credential.type === 'aws4') return signAws4(credential, request)
  return { ...request, headers: withHeaders(request.headers ?? {}, await credentialHeaders(credential, context)) }
}

/** Headers with others set over them; names are the same in any case. */
export function withHeaders(headers: Readonly<Record<string, string>>, over: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Set(Object.keys(over).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()))), ...over }
}
