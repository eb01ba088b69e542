import type { OpenedCredential, Outside } from '../outside.ts'
import type { CredentialContext } from './fields.ts'

/** What a worker's Outside may do besides: store the refresh token that a provider answered in place of the one it was asked with. */
export interface KeepsRefreshTokens {
  keepRefreshToken(credential: Pick<OpenedCredential, 'name' | 'version'>, refreshToken: string): Promise<void>
}

const canKeep = (outside: Outside): outside is Outside & KeepsRefreshTokens => 'keepRefreshToken' in outside

const maxKept = 1_000
const latest = new Map<string, string>()

const keyOf = ({ name, version, values }: OpenedCredential): string => JSON.stringify([name, version, values['refreshToken'], values['code']])

/** The refresh token that was answered last for this version of a credential, as far as this process knows. */
export function latestRefreshToken(credential: OpenedCredential): string | undefined {
  return latest.get(keyOf(credential))
}

/** Uses this refresh token from now on: providers that answer a new one refuse the old one. */
export async function keepRefreshToken(credential: OpenedCredential, refreshToken: string, context: CredentialContext): Promise<void> {
  const used = latestRefreshToken(credential) ?? credential.values['refreshToken']
  if (refreshToken === used) return
  latest.set(keyOf(credential), refreshToken)
  const [oldest] = latest.keys()
  if (latest.size > maxKept && oldest !== undefined) latest.delete(oldest)
  if (canKeep(context.outside)) await context.outside.keepRefreshToken(credential, refreshToken)
}
