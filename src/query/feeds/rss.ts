import { attribute, children, childText, textOf, type Element } from './elements.ts'
import type { Entry } from './entry.ts'

/** The entries of RSS 0.9x and 2.0, whose items are in the channel, and of RSS 1.0, where they are beside it. */
export function rssEntries(root: Element): Entry[] {
  const items = [...children(root, 'channel').flatMap((channel) => children(channel, 'item')), ...children(root, 'item')]
  return items.map((item) => ({ ...entryOf(item), bases: [attribute(root, 'xml:base'), attribute(item, 'xml:base')] }))
}

function entryOf(item: Element): Entry {
  const [guid] = children(item, 'guid')
  const id = textOf(guid) ?? attribute(item, 'rdf:about')
  const permanent = guid !== undefined && attribute(guid, 'isPermaLink') !== 'false' && /^https?:/i.test(id ?? '') ? id : null
  return {
    title: childText(item, 'title', 'dc:title'),
    link: childText(item, 'link') ?? attribute(children(item, 'atom:link')[0], 'href') ?? permanent,
    published: childText(item, 'pubDate', 'dc:date', 'published', 'updated', 'atom:updated'),
    summary: childText(item, 'description', 'summary', 'itunes:summary', 'content:encoded'),
    author: childText(item, 'author', 'dc:creator', 'itunes:author'),
    id,
  }
}
