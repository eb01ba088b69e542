import { attribute, children, childText, type Element } from './elements.ts'
import type { Entry } from './entry.ts'

/** The entries of an Atom feed; `prefix` stands before the names of its elements, mostly there is none. */
export function atomEntries(feed: Element, prefix: string): Entry[] {
  const feedAuthor = authorOf(feed, prefix)
  return children(feed, `${prefix}entry`).map((entry) => ({
    title: childText(entry, `${prefix}title`),
    link: attribute(linkOf(entry, prefix), 'href'),
    bases: [feed, entry, linkOf(entry, prefix)].map((element) => attribute(element, 'xml:base')),
    published: childText(entry, `${prefix}published`, `${prefix}issued`, `${prefix}updated`, `${prefix}modified`),
    summary: childText(entry, `${prefix}summary`, `${prefix}content`),
    author: authorOf(entry, prefix) ?? feedAuthor,
    id: childText(entry, `${prefix}id`),
  }))
}

function authorOf(element: Element, prefix: string): string | null {
  const names = children(element, `${prefix}author`).map((author) => childText(author, `${prefix}name`, `${prefix}email`))
  const known = names.filter((name) => name !== null)
  return known.length === 0 ? null : known.join(', ')
}

/** The entry's own page: the link without a relation, or with the relation alternate. */
function linkOf(entry: Element, prefix: string): Element | undefined {
  const links = children(entry, `${prefix}link`)
  return links.find((link) => (attribute(link, 'rel') ?? 'alternate') === 'alternate') ?? links[0]
}
