import { Problem } from '../../platform/errors.ts'
import { asText } from '../expressions/values.ts'
import type { Filled } from '../filled.ts'
import { templateIn, type Param } from '../params.ts'
import type { Part } from '../text/fill.ts'

const rules = 'a token behind the host is percent-encoded (escapes that it has stay), so that its value cannot add a parameter; one at the beginning stands as it is'

/** An address, made for each row: data behind the host stays data. */
export function address(doc: string): Param<Filled<string>> {
  return {
    type: 'text',
    doc: `${doc}; ${rules}`,
    read: (piece) => {
      const { parts, faults } = templateIn(piece)
      return { value: fillAddress(parts), shown: piece.text, faults }
    },
  }
}

/** Fills the tokens of an address. */
export function fillAddress(parts: readonly Part[]): Filled<string> {
  return (_row, lookup) => {
    let filled = ''
    let neutral = ''
    for (const [index, part] of parts.entries()) {
      const isBehind = behindHost.test(filled)
      const value = 'text' in part ? part.text : isBehind ? encode(asText(lookup(part.token))) : asText(lookup(part.token))
      if ('token' in part && !isBehind && isInsideHost(filled, parts[index + 1])) checkHostPart(part.token, value)
      filled += value
      neutral += 'token' in part && isBehind ? 'x' : value
    }
    const climbed = climbs(filled)
    if (climbed > 0 && climbed > climbs(neutral)) throw new Problem('unprocessable', outOfPath)
    return filled
  }
}

const outOfPath = 'A value in the path of the address is . or .., which would leave the path that the query names; filter such rows out before.'

const behindHost = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*[/?#\\]/i

/** Whether a token stands in the midst of a host's name, as in `https://$shop$.example/`. */
function isInsideHost(before: string, next: Part | undefined): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(before) && next !== undefined && ('token' in next || !/^[/?#]/.test(next.text))
}

function checkHostPart(token: string, value: string): void {
  if (!/[/?#@\\:]/.test(value)) return
  throw new Problem('unprocessable', `The value of ${token} stands inside the name of a host and holds one of / ? # @ : \\, with which it would name another host.`)
}

/** Slashes of a path may come from data; all else that has a meaning in an address is escaped. */
function encode(value: string): string {
  if (/^[\w.~/-]*$/.test(value)) return value
  return value.toWellFormed().replaceAll(/%[0-9a-f]{2}|\/|[^]/giu, (found) => (found.length === 3 || found === '/' ? found : encodeURIComponent(found)))
}

/** How often the path goes to where it is, or up. */
function climbs(url: string): number {
  if (!/[/\\](?:\.|%2e)/i.test(url)) return 0
  const path = url.split(/[?#]/)[0] ?? ''
  return path.split(/[/\\]/).filter((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)).length
}
