import { parseXml } from '../formats/xml.ts'
import { unreadable } from '../formats/unreadable.ts'
import type { Row } from '../rows.ts'
import { atomEntries } from './atom.ts'
import type { Element } from './elements.ts'
import { entryRow, type Entry } from './entry.ts'
import { jsonEntries } from './jsonFeed.ts'
import { rssEntries } from './rss.ts'

/** The rows of an RSS, Atom or JSON feed; `base` is where it was read, for its relative links. */
export function readFeed(text: string, base: string): Row[] {
  return entriesOf(text.replace(/^\ufeff/, '').trim()).map((entry) => entryRow(entry, base))
}

function entriesOf(text: string): Entry[] {
  const entries = text.startsWith('{') ? jsonEntries(text) : xmlEntries(text)
  if (!entries) {
    throw unreadable('this is no feed: RSS has the root element rss or rdf:RDF, Atom the root element feed, and a JSON feed has items')
  }
  return entries
}

function xmlEntries(text: string): Entry[] | null {
  if (!text.startsWith('<')) return null
  const [root] = Object.entries(parseXml(text) as Readonly<Record<string, Element>>) // its one key is the root element
  const [name, element] = root ?? ['', '']
  if (name === 'rss' || name === 'rdf:RDF' || name === 'RDF') return rssEntries(element)
  const prefix = /^(\w+:)?feed$/.exec(name)
  return prefix ? atomEntries(element, prefix[1] ?? '') : null
}
