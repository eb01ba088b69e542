import { RE2JS } from 're2js'

/** Tells whether an address is meant by any of some globs. */
export type UrlMatcher = (url: string) => boolean

/** Longer parts of an address are not looked at. */
const mostChars = 4_096

/** Reads globs of host names or paths: `*` matches anything but `/`, `**` anything. Matching takes linear time whatever they are. */
export function globMatcher(globs: readonly string[]): UrlMatcher {
  if (globs.length === 0) return () => false
  const pattern = RE2JS.compile(globs.map(asPattern).join('|'), RE2JS.DOTALL)
  return (url) => partsOf(url).some((part) => pattern.matches(part))
}

/** Host names have no capitals. */
function asPattern(glob: string): string {
  const plain = glob.includes('/') ? glob : glob.toLowerCase()
  const pieces = [glob, ...(plain === glob ? [] : [plain])].map((text) => text.split(/(\*+)/).map(asPiece).join(''))
  return pieces.map((piece) => `(?:${piece})`).join('|')
}

function asPiece(text: string): string {
  if (text === '') return ''
  if (!text.startsWith('*')) return RE2JS.quote(text)
  return text === '*' ? '[^/]*' : '.*'
}

/** The parts of an address that a glob can name as a whole. */
function partsOf(url: string): string[] {
  if (!/^(https?|wss?):/.test(url) || !URL.canParse(url)) return []
  const { hostname, host, pathname, search, href } = new URL(url)
  const parts = [hostname, host, pathname, pathname.slice(1), `${pathname}${search}`, `${hostname}${pathname}`, `${host}${pathname}`, href]
  return [...new Set(parts.map((part) => part.slice(0, mostChars)))]
}
