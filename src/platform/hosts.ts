import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'

/** An address, or null where the text is none; one look at it, where `canParse` before `new URL` takes two. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

let last: { readonly text: string; readonly host: string | null } = { text: '', host: null }

/** The one spelling of a host: lower case, IDNA ASCII, no trailing dot; null where the text is no bare host name. */
export function normalizeHost(text: string): string | null {
  // Row after row asks for the same host.
  if (last.text !== text) last = { text, host: spell(text) }
  return last.host
}

function spell(text: string): string | null {
  if (/[\s/?#@\\*%:[\]]/.test(text)) return normalizeIpv6(text)
  const ascii = domainToASCII(text).replace(/\.$/, '')
  if (ascii === '' || ascii.length > 253) return null
  if (isIPv4(ascii)) return ascii
  return ascii.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) ? ascii : null
}

function normalizeIpv6(text: string): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9a-fA-F:.]+))$/.exec(text)
  const address = match ? `http://[${match[1] ?? match[2]}]/` : ''
  return URL.canParse(address) ? new URL(address).hostname : null
}
