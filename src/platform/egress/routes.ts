import { Problem } from '../errors.ts'

/** A server that passes connections on. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks4' | 'socks5'
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/** One way to a target: straight, or through a proxy. */
export type Route = 'direct' | ProxyServer

/** What the `proxy` of a request asks for: ways that are known, or a file that decides for each address. */
export type Upstream = { readonly routes: readonly Route[] } | { readonly pac: string }

const kinds: Readonly<Record<string, readonly [kind: ProxyServer['kind'], port: number]>> = {
  'http:': ['http', 80],
  'https:': ['https', 443],
  'socks:': ['socks5', 1080],
  'socks5:': ['socks5', 1080],
  'socks5h:': ['socks5', 1080],
  'socks4:': ['socks4', 1080],
  'socks4a:': ['socks4', 1080],
}

/** Reads the URI of a proxy that a user gave; the message of a bad one never repeats it, for it may hold a password. */
export function parseProxy(uri: string): Upstream {
  const pac = /^pac(?:\+(https?))?:\/\/(.+)$/i.exec(uri)
  if (pac) return { pac: `${pac[1]?.toLowerCase() ?? 'http'}://${pac[2]}` }
  return { routes: [parseServer(uri)] }
}

function parseServer(uri: string): ProxyServer {
  const url = URL.canParse(uri) ? new URL(uri) : null
  const [kind, usualPort] = kinds[url?.protocol ?? ''] ?? []
  if (!url || kind === undefined || url.hostname === '') throw badProxy()
  return { kind, host: url.hostname, port: Number(url.port || usualPort), user: decoded(url.username), password: decoded(url.password) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badProxy()
  }
}

const badProxy = (): Problem =>
  new Problem('unprocessable', 'The proxy must be a URI such as http://host:8080, socks5://user:password@host:1080 or pac+https://host/proxy.pac.')

const pacKinds: Readonly<Record<string, string>> = {
  PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS: 'socks5', SOCKS4: 'socks4', SOCKS5: 'socks5',
}

/** Reads the answer of a PAC file, such as `PROXY a:8080; DIRECT`; ways that cannot be read are passed over. */
export function parsePacAnswer(answer: string): Route[] {
  return answer.split(';').slice(0, 20).flatMap((part): Route[] => {
    const [word = '', place = ''] = part.trim().split(/\s+/)
    if (word.toUpperCase() === 'DIRECT') return ['direct']
    const scheme = pacKinds[word.toUpperCase()]
    const uri = `${scheme}://${place}`
    return scheme !== undefined && /^[^/@?#]+$/.test(place) && URL.canParse(uri) ? [parseServer(uri)] : []
  })
}
