import { Problem } from '../../platform/errors.ts'
import type { Incoming } from '../outside.ts'
import type { Row } from '../rows.ts'
import type { ConnectionFlags } from './connection.ts'

const excerptChars = 200
/** Enough for the excerpt in any encoding, with white space that is folded. */
const excerptBytes = 2_048

/** Refuses an answer whose status is an error that --acceptStatus does not list; its body is then given up. */
export async function acceptable(incoming: Incoming, flags: Pick<ConnectionFlags, 'acceptStatus'>): Promise<void> {
  if (incoming.status < 400 || flags.acceptStatus.includes(incoming.status)) return
  const said = await excerptOf(incoming)
  const retryAfterS = retryAfter(incoming.headers['retry-after'])
  throw new Problem('target_status', `The target answered ${incoming.status} at ${placeOf(incoming.url)}${said === '' ? '.' : `: ${said}`}`, {
    extra: { targetStatus: incoming.status },
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  })
}

/** The columns that say how an answer came. */
export function responseColumns({ status, url, ms, headers }: Incoming): Row {
  const named = Object.entries(headers).map(([name, value]) => [`_response.headers.${name}`, value])
  return { '_response.status': status, '_response.url': url, '_response.ms': ms, ...(Object.fromEntries(named) as Row) }
}

/** Origin and path of an address: its query may hold secrets. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read'
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** The beginning of a body of text, in one line; nothing of other bodies. */
async function excerptOf(incoming: Incoming): Promise<string> {
  if (!/^(?:text\/|[^;]*(?:json|xml|javascript|urlencoded))/i.test(incoming.headers['content-type'] ?? '')) {
    incoming.discard()
    return ''
  }
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of incoming.body) {
      pieces.push(piece)
      length += piece.length
      if (length >= excerptBytes) break
    }
  } catch {
    // The status says what went wrong; that the body broke off as well does not matter.
  } finally {
    incoming.discard()
  }
  const text = Buffer.concat(pieces).subarray(0, excerptBytes).toString().replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return text.length > excerptChars ? `${text.slice(0, excerptChars)}…` : text
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
