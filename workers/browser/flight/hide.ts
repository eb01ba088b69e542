import { mask } from '../../../src/contract/schemas.ts'
import { redact } from '../../../src/platform/logger.ts'
import { UsedSecrets } from '../../query/outside/secrets.ts'

/** Parameters of addresses that hold secrets more often than not. */
const telling = /token|secret|passw|key|auth|session|sig|code|jwt|otp/i

/** Takes secrets out of texts: those that are known, passwords in addresses, and parameters whose name tells. */
export function hider(secrets: readonly string[], more: (text: string) => string): (text: string) => string {
  const used = new UsedSecrets()
  // The longest first, for a short one may be a part of it.
  const written = [...new Set(secrets.flatMap(asWritten))].toSorted((a, b) => b.length - a.length)
  used.add(written)
  const long = written.filter((secret) => secret.length > beginning)
  return (text) => redact(more(hideCut(used.hide(text), long)))
}

/** A secret as it stands in texts, in forms that are sent, and in JSON. */
const asWritten = (secret: string): string[] => [secret, new URLSearchParams([['', secret]]).toString().slice(1), JSON.stringify(secret).slice(1, -1)]

/** So much of the beginning of a long secret is enough to know it by. */
const beginning = 64

/** A text that was cut may end in the midst of a long secret. */
function hideCut(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    const at = text.indexOf(secret.slice(0, beginning))
    if (at !== -1 && secret.startsWith(text.slice(at))) return text.slice(0, at) + mask
  }
  return text
}

/** An address without the values of parameters whose name tells. */
export function hideParameters(address: string): string {
  if (!/[?&#]/.test(address) || !URL.canParse(address)) return address
  const url = new URL(address)
  const names = [...new Set(url.searchParams.keys())].filter((name) => telling.test(name))
  for (const name of names) url.searchParams.set(name, mask)
  if (telling.test(url.hash)) url.hash = mask
  return names.length === 0 && url.hash === new URL(address).hash ? address : url.href
}
