import { childrenOf, isElement, type HtmlElement, type HtmlNode } from './parseHtml.ts'

const unseen = new Set(['script', 'style', 'noscript', 'template', 'head', 'title'])
const blocks = new Set([
  'address', 'article', 'aside', 'blockquote', 'body', 'br', 'dd', 'details', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form',
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'nav', 'ol', 'option', 'p', 'pre', 'section', 'summary', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul',
])
const cells = new Set(['td', 'th'])

/** The text of an element as it is read: white space collapsed, a line a block, a tab between cells, nothing of scripts and styles. */
export function innerTextOf(element: HtmlElement): string {
  if (unseen.has(element.tagName)) return rawTextOf(element)
  const writer = new TextWriter()
  for (const child of childrenOf(element)) write(child, writer, element.tagName === 'pre')
  return writer.text
}

/** All text below a node, as it stands. */
export function rawTextOf(node: HtmlNode): string {
  if ('value' in node) return node.value
  return childrenOf(node).map(rawTextOf).join('')
}

function write(node: HtmlNode, writer: TextWriter, isPre: boolean): void {
  if ('value' in node) {
    if (isPre) writer.addRaw(node.value)
    else writer.add(node.value)
  } else if (isElement(node) && !unseen.has(node.tagName)) {
    const gap = blocks.has(node.tagName) ? '\n' : cells.has(node.tagName) ? '\t' : ''
    writer.separate(gap)
    for (const child of childrenOf(node)) write(child, writer, isPre || node.tagName === 'pre')
    writer.separate(gap)
  }
}

const gaps = ['', ' ', '\t', '\n'] as const

/** Joins texts with at most one separator between them: the strongest that was asked for. */
class TextWriter {
  readonly #parts: string[] = []
  #gap: (typeof gaps)[number] = ''

  get text(): string {
    return this.#parts.join('')
  }

  separate(gap: (typeof gaps)[number]): void {
    if (gaps.indexOf(gap) > gaps.indexOf(this.#gap)) this.#gap = gap
  }

  add(text: string): void {
    const words = text.replace(/[ \t\r\n\f]+/g, ' ')
    if (words.startsWith(' ')) this.separate(' ')
    this.addRaw(words === ' ' ? '' : words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') ? -1 : undefined))
    if (words.endsWith(' ')) this.separate(' ')
  }

  addRaw(text: string): void {
    if (text === '') return
    if (this.#parts.length > 0) this.#parts.push(this.#gap)
    this.#gap = ''
    this.#parts.push(text)
  }
}
