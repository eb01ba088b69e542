import { createPublicKey, type KeyObject } from 'node:crypto'
import { Problem } from '../../platform/errors.ts'

/** The key that licenses are signed with, out of its setting: PEM, its line ends perhaps written `\n`, or base64url of the bare 32 bytes. */
export function readPublicKey(setting: string | undefined): KeyObject {
  if (setting === undefined) throw unable('set LICENSE_PUBLIC_KEY to the public key that licenses are signed with')
  const key = parse(setting.trim())
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw unable('LICENSE_PUBLIC_KEY is no Ed25519 public key; set it to one (PEM, or base64url of its 32 bytes)')
}

const unable = (remedy: string): Problem => new Problem('license_invalid', `No license can be checked here: ${remedy} and start again.`)

function parse(text: string): KeyObject | null {
  try {
    if (/^[A-Za-z0-9_-]{43}$/.test(text)) return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: text } })
    return text.startsWith('-----BEGIN PUBLIC KEY-----') ? createPublicKey(text.replaceAll('\\n', '\n')) : null
  } catch {
    return null
  }
}
