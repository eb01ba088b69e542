import { createPublicKey, type KeyObject } from 'node:crypto'

/** Reads an Ed25519 public key: PEM, its line ends perhaps written `\n`, or base64url of the bare 32 bytes; null where it is none. */
export function readEd25519(text: string): KeyObject | null {
  const key = parse(text.trim())
  return key?.asymmetricKeyType === 'ed25519' ? key : null
}

function parse(text: string): KeyObject | null {
  try {
    if (/^[A-Za-z0-9_-]{43}$/.test(text)) return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: text } })
    return text.startsWith('-----BEGIN PUBLIC KEY-----') ? createPublicKey(text.replaceAll('\\n', '\n')) : null
  } catch {
    return null
  }
}
