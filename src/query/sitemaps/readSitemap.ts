import { childText, type Element } from '../feeds/elements.ts'
import { unreadable } from '../formats/unreadable.ts'
import { parseXml } from '../formats/xml.ts'
import type { Row } from '../rows.ts'

/** What a document says: addresses of pages, or of further sitemaps. */
export interface Sitemap {
  readonly kind: 'pages' | 'sitemaps'
  /** One by one, so that the largest sitemap is not held in memory twice. */
  readonly rows: Iterable<Row>
}

/** Reads a sitemap, an index of sitemaps, or a plain list of addresses. */
export function readSitemap(text: string): Sitemap {
  const plain = withoutComments(text)
  const root = /<(?:([\w.-]+):)?(urlset|sitemapindex)[\s>/]/.exec(plain)
  if (!root) return readList(plain)
  const prefix = root[1] === undefined ? '' : `${root[1]}:`
  const isIndex = root[2] === 'sitemapindex'
  if (!isWhole(plain, root, `${prefix}${root[2] ?? ''}`)) {
    throw unreadable(`the sitemap breaks off before the end of its element ${root[2] ?? ''}`)
  }
  return { kind: isIndex ? 'sitemaps' : 'pages', rows: readElements(plain, isIndex ? 'sitemap' : 'url', prefix) }
}

/** Each element is parsed by itself: a sitemap may be many times as long as what the parser may hold. */
function* readElements(text: string, name: string, prefix: string): Generator<Row> {
  const opening = new RegExp(`<${prefix}${name}(?:\\s[^>]*)?>`, 'g')
  const closing = `</${prefix}${name}>`
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    const end = text.indexOf(closing, open.index)
    if (end < 0) throw unreadable(`an element ${name} has no end`, { byte: open.index + 1 })
    const row = rowOf(text.slice(open.index, end + closing.length), prefix)
    if (row) yield row
    opening.lastIndex = end + closing.length
  }
}

function rowOf(text: string, prefix: string): Row | null {
  const [element] = Object.values(parseXml(text) as Readonly<Record<string, Element>>) // its one key is the root element
  const loc = childText(element, `${prefix}loc`)
  if (loc === null) return null
  const priority = Number(childText(element, `${prefix}priority`) ?? Number.NaN)
  return {
    loc,
    lastmod: childText(element, `${prefix}lastmod`),
    changefreq: childText(element, `${prefix}changefreq`),
    priority: Number.isFinite(priority) ? priority : null,
  }
}

/** A sitemap that came in part would otherwise be a sitemap with fewer addresses. */
function isWhole(text: string, root: RegExpExecArray, tag: string): boolean {
  const isEmpty = /^<[^<>]*\/>\s*$/.test(text.slice(root.index, root.index + 10_000))
  return isEmpty || new RegExp(`</${tag}\\s*>\\s*$`).test(text.slice(-1_000))
}

/** Comments may hold elements that do not count. */
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  const kept: string[] = []
  let at = 0
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', at)) {
    kept.push(text.slice(at, open))
    const close = text.indexOf('-->', open + 4)
    if (close < 0) throw unreadable('a comment has no end')
    at = close + 3
  }
  return kept.join('') + text.slice(at)
}

function readList(text: string): Sitemap {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '')
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/i.test(line))
  if (!isList) throw unreadable('this is no sitemap: it has neither the element urlset nor sitemapindex, and is no list of addresses')
  return { kind: 'pages', rows: lines.map((loc) => ({ loc, lastmod: null, changefreq: null, priority: null })) }
}
