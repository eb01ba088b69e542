import type { Entry } from './entry.ts'

type Fields = Readonly<Record<string, unknown>>

/** The entries of a JSON feed, or null where the text is none. */
export function jsonEntries(text: string): Entry[] | null {
  const feed = parse(text)
  const items = feed?.['items']
  if (!feed || !Array.isArray(items)) return null
  return items.filter(isFields).map((item) => ({
    title: texts(item, 'title'),
    link: texts(item, 'url', 'external_url'),
    published: texts(item, 'date_published', 'date_modified'),
    summary: texts(item, 'summary', 'content_text', 'content_html'),
    author: authorOf(item) ?? authorOf(feed),
    id: texts(item, 'id'),
  }))
}

function parse(text: string): Fields | undefined {
  try {
    const feed: unknown = JSON.parse(text)
    return isFields(feed) ? feed : undefined
  } catch {
    return undefined
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first of these fields that holds a text; ids may be numbers. */
function texts(item: Fields, ...names: readonly string[]): string | null {
  const found = names.map((name) => item[name]).find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number')
  return found === undefined ? null : String(found)
}

/** Version 1.1 of the format has a list of authors, version 1 a single one. */
function authorOf(item: Fields): string | null {
  const { authors, author } = item
  const all: unknown[] = Array.isArray(authors) ? authors : [author]
  const names = all.flatMap((one) => (isFields(one) ? [texts(one, 'name', 'url')] : [])).filter((name) => name !== null)
  return names.length === 0 ? null : names.join(', ')
}
