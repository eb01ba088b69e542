import { Problem } from '../../platform/errors.ts'
import type { EachContext } from '../command.ts'
import { textOf } from '../fetch/text.ts'
import type { Incoming } from '../outside.ts'
import { innerTextOf } from '../html/innerText.ts'
import { elementsOf, parseHtml, type HtmlElement } from '../html/parseHtml.ts'
import { browse } from './browse.ts'

/** Sends a request for an address that should answer in this type. */
export type Asking = (url: string, accept: string) => Promise<Incoming>

/** A page as a crawl sees it. */
export interface FetchedPage {
  readonly url: string
  readonly status: number | null
  readonly title: string | null
  readonly text: string | null
  readonly html: string | null
  readonly links: readonly string[]
}

/** Asks for a page by plain HTTP. */
export async function fetchPage(url: string, ask: Asking): Promise<FetchedPage> {
  const incoming = await ask(url, 'text/html, application/xhtml+xml, */*;q=0.5')
  const { status, url: arrived } = incoming
  const type = incoming.headers['content-type'] ?? 'text/html'
  if (!/^\s*(?:text\/|application\/xhtml)/i.test(type)) {
    incoming.discard()
    return { url: arrived, status, title: null, text: null, html: null, links: [] }
  }
  const text = await textOf(incoming)
  return /html/i.test(type) ? readPage(arrived, status, text) : { url: arrived, status, title: null, text, html: null, links: [] }
}

const pageSource = `() => ({
  html: document.documentElement.outerHTML,
  text: document.body ? document.body.innerText : '',
  links: [...document.querySelectorAll('a[href]')].map((link) => link.href).filter((href) => typeof href === 'string'),
})`

/** Opens a page in a browser. */
export async function openPage(url: string, options: Record<string, unknown>, context: EachContext): Promise<FetchedPage> {
  const { page, result } = await browse('page.evaluate', { ...options, url, expression: pageSource }, context)
  const { html, text, links } = result as Pick<FetchedPage, 'html' | 'text' | 'links'> // what the expression above answers
  return { url: page.url, status: page.status, title: page.title, text, html, links: links.flatMap((link) => pageAddress(link, page.url)) }
}

function readPage(url: string, status: number, html: string): FetchedPage {
  try {
    const elements = elementsOf(parseHtml(html))
    const named = (name: string): HtmlElement | undefined => elements.find(({ tagName }) => tagName === name)
    const [title, body, base] = [named('title'), named('body'), named('base')]
    const from = pageAddress(attributeOf(base, 'href') ?? '', url)[0] ?? url
    const links = elements.filter(({ tagName }) => tagName === 'a').flatMap((link) => pageAddress(attributeOf(link, 'href'), from))
    return { url, status, title: title ? titleOf(title) : '', text: body ? innerTextOf(body) : null, html, links: [...new Set(links)] }
  } catch (error) {
    if (error instanceof Problem && error.code === 'unreadable_file') return { url, status, title: null, text: null, html, links: [] }
    throw error
  }
}

const titleOf = ({ childNodes }: HtmlElement): string => childNodes.map((node) => ('value' in node ? node.value : '')).join('').trim()

const attributeOf = (element: HtmlElement | undefined, name: string): string | undefined => element?.attrs.find((attribute) => attribute.name === name)?.value

/** The address of a link without what stands behind #; none where it leads out of the web. */
function pageAddress(link: string | undefined, base: string): string[] {
  if (link === undefined || !URL.canParse(link, base)) return []
  const url = new URL(link, base)
  url.hash = ''
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? [url.href] : []
}
