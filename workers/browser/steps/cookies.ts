import type { Protocol } from 'puppeteer'
import type { Cookie } from '../../../src/contract/krull/options.ts'
import { invalidField } from '../../../src/platform/errors.ts'
import type { Tab } from './tab.ts'

const refusal = 'must be a cookie that the browser takes: look at its domain, path, expires and secure'

/** Sets cookies, by name, before the page is asked for. */
export async function setCookies({ session }: Tab, pageUrl: string, cookies: Readonly<Record<string, Cookie>>): Promise<void> {
  await Promise.all(Object.entries(cookies).map(async ([name, cookie]) => {
    const set = session.send('Network.setCookie', describe(new URL(pageUrl), name, cookie))
    const { success } = await set.catch(() => ({ success: false }))
    if (!success) throw invalidField(`/cookieStorage/${name}`, refusal)
  }))
}

/** A cookie without a domain, or with the very host of the page, is one of that host alone. */
function describe(page: URL, name: string, cookie: Cookie): Protocol.Network.SetCookieRequest {
  const { value, domain, path, expires, httpOnly, secure, session } = cookie
  const ofHost = domain === undefined || domain === '' || domain === page.hostname
  const host = ofHost ? page.host : domain.replace(/^\./, '')
  const ends = session === true ? null : secondsOf(name, expires)
  return {
    name,
    value,
    url: `${secure === true ? 'https:' : page.protocol}//${host}/`,
    ...(ofHost ? {} : { domain }),
    ...(path === undefined || path === '' ? {} : { path }),
    ...(ends === null ? {} : { expires: ends }),
    ...(httpOnly === undefined ? {} : { httpOnly }),
    ...(secure === undefined ? {} : { secure }),
  }
}

/** Seconds since 1970; null for a cookie that ends with its session. */
function secondsOf(name: string, expires: string | undefined): number | null {
  if (expires === undefined || expires === '') return null
  const seconds = /^-?\d+(\.\d+)?$/.test(expires) ? Number(expires) : Date.parse(expires) / 1_000
  if (Number.isNaN(seconds)) throw invalidField(`/cookieStorage/${name}/expires`, 'must be an ISO 8601 time, or seconds since 1970')
  return seconds < 0 ? null : seconds
}

/** Every cookie of the visit, by name; of several with one name that of the present page. */
export async function readCookies({ session, visit: { context } }: Tab): Promise<Record<string, Cookie>> {
  const [all, { cookies: ofPage }] = await Promise.all([context.cookies(), session.send('Network.getCookies')])
  return Object.fromEntries([...all, ...ofPage].map((cookie) => [cookie.name, asKept(cookie)]))
}

interface BrowserCookie extends Required<Pick<Cookie, 'value' | 'domain' | 'path'>> {
  readonly expires?: number
  readonly size: number
  readonly httpOnly?: boolean
  readonly secure: boolean
  readonly session: boolean
}

function asKept({ value, domain, path, expires = -1, size, httpOnly = false, secure, session }: BrowserCookie): Cookie {
  const ends = session || expires < 0 ? {} : { expires: new Date(Math.min(expires * 1_000, 8.64e15)).toISOString() }
  return { value, domain, path, ...ends, size, httpOnly, secure, session }
}
