import { defaultTreeAdapter, parse, parseFragment, type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, type TreeAdapter } from 'parse5'
import { maxRowLength, rowTooLong, unreadable } from '../formats/unreadable.ts'

/** An element of parsed HTML. */
export type HtmlElement = DefaultTreeAdapterTypes.Element
/** Anything in parsed HTML: an element, a text, a comment. */
export type HtmlNode = DefaultTreeAdapterTypes.Node
/** What can hold nodes: a document, a fragment, an element. */
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode

/** Deepest nesting of elements, as in browsers. */
const maxDepth = 512
/** Most separators inside one tag: the parser compares every attribute with all before it. */
const maxTagSeparators = 30_000
/** Elements beyond one a character; unclosed formatting can make a short text into a tree of any size. */
const spareElements = 1_000

/** Parses HTML as browsers do; a text without html, head or body is a fragment, and may begin inside a table. */
export function parseHtml(text: string): HtmlParent {
  if (text.length > maxRowLength) throw rowTooLong({})
  refuseEndlessTags(text)
  const options = { scriptingEnabled: false, treeAdapter: boundedAdapter(text.length + spareElements) }
  return /<(?:!doctype|html|head|body)\b/i.test(text) ? parse(text, options) : parseFragment(text, options)
}

/** Every element below a node, in the order of the text. */
export function elementsOf(root: HtmlParent): HtmlElement[] {
  const found: HtmlElement[] = []
  const open: Array<{ readonly node: HtmlNode; readonly depth: number }> = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next
    if (depth > maxDepth) throw tooDeep()
    if (isElement(node)) found.push(node)
    const children = childrenOf(node)
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      if (child) open.push({ node: child, depth: depth + 1 })
    }
  }
  return found
}

/** Whether a node is an element. */
export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node

/** The nodes directly below a node. */
export const childrenOf = (node: HtmlNode): DefaultTreeAdapterTypes.ChildNode[] => ('childNodes' in node ? node.childNodes : [])

const tooDeep = (): Error => unreadable(`the HTML is nested deeper than ${maxDepth} elements`)

function boundedAdapter(maxElements: number): TreeAdapter<DefaultTreeAdapterMap> {
  let elements = 0
  let depth = 0
  return {
    ...defaultTreeAdapter,
    createElement: (...created) => {
      elements += 1
      if (elements > maxElements) throw unreadable(`the HTML makes more than ${maxElements.toLocaleString('en')} elements, because tags are not closed`)
      return defaultTreeAdapter.createElement(...created)
    },
    onItemPush: () => {
      depth += 1
      if (depth > maxDepth) throw tooDeep()
    },
    onItemPop: () => {
      depth -= 1
    },
  }
}

function refuseEndlessTags(text: string): void {
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', start)) {
    const close = text.indexOf('>', start)
    const end = close < 0 ? text.length : close
    if (end - start > maxTagSeparators && /[a-z]/i.test(text.charAt(start + 1))) refuseEndlessTag(text.slice(start, end))
    start = end + 1
  }
}

function refuseEndlessTag(tag: string): void {
  const separators = tag.match(/[\s/"']+/g)?.length ?? 0
  if (separators > maxTagSeparators) throw unreadable('the HTML has a tag with too many attributes')
}
