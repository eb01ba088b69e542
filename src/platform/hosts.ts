import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'

/** The one spelling of a host: lower case, IDNA ASCII, no trailing dot; null where the text is no bare host name. */
export function normalizeHost(text: string): string | null {
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
