import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { maxDepth } from '../rows.ts'
import { maxRowLength, rowTooLong, unreadable } from './unreadable.ts'

const textKey = '#text'
const cdataKey = '#cdata'
const attributesKey = ':@'
/** Before names while the parser has them, so that it takes none of them for something else: it refuses some that objects have. */
const elementMark = '<'
const attributeMark = '@'

/** The parser expands no entity: those of XML itself are decoded once below, and what a document declares is never expanded. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: attributeMark,
  transformTagName: (name) => elementMark + name,
  textNodeName: textKey,
  cdataPropName: cdataKey,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: false,
  maxNestedTags: maxDepth,
})

/** Under which an element with others inside has all of its text, theirs too, in its order; no row ever has it. */
export const wholeText = Symbol('the text of an element and of all within it')

/** One node as the parser gives it: its name to its children, or to a text. */
type Node = Readonly<Record<string, unknown>>

/** Reads an XML text as nested data: every child element is a list, attributes are `attributes.<name>`, text beside them or beside children is `textContent`. */
export function parseXml(text: string): unknown {
  if (text.length > maxRowLength) throw rowTooLong({})
  const data = fields()
  const nodes = nodesOf(text)
  // The parser passes over text behind the last element.
  if (textOf(nodes) !== '' || text.slice(text.lastIndexOf('>') + 1).trim() !== '') throw unreadable('this is not valid XML: text stands outside the root element')
  for (const root of nodes.filter(isElement)) data[nameOf(root)] = valueOf(root)
  return data
}

function nodesOf(text: string): readonly Node[] {
  const checked = XMLValidator.validate(text)
  if (checked !== true) throw unreadable(`this is not valid XML: ${checked.err.msg.replace(/\.$/, '')}`, { line: checked.err.line })
  try {
    return parser.parse(text) as readonly Node[] // with preserveOrder it is a list of nodes
  } catch (error) {
    throw unreadable(`this XML cannot be read: ${(error as Error).message}`)
  }
}

function valueOf(node: Node): unknown {
  const children = node[keyOf(node) ?? ''] as readonly Node[] // an element's name leads to its children
  const text = textOf(children)
  const elements = children.filter(isElement)
  const attributes = node[attributesKey] as Readonly<Record<string, string>> | undefined // the parser's own shape
  if (elements.length === 0 && !attributes) return text
  const data = fields()
  if (attributes) data['attributes'] = decodeAll(attributes)
  if (text !== '') data['textContent'] = text
  if (elements.length > 0) Object.defineProperty(data, wholeText, { get: () => wholeTextOf(children) })
  for (const [child, list] of listsOf(elements)) {
    // An element called attributes has the name of the attributes, and joins them.
    if (child === 'attributes' && attributes) Object.assign(data['attributes'] as object, list)
    else data[child] = list
  }
  return data
}

function listsOf(elements: readonly Node[]): Map<string, unknown[]> {
  const lists = new Map<string, unknown[]>()
  for (const element of elements) {
    const name = nameOf(element)
    const known = lists.get(name)
    if (known) known.push(valueOf(element))
    else lists.set(name, [valueOf(element)])
  }
  return lists
}

const keyOf = (node: Node): string | undefined => Object.keys(node).find((key) => key.startsWith(elementMark))

const isElement = (node: Node): boolean => keyOf(node) !== undefined

/** The parser marks the name of an element without content twice. */
const nameOf = (node: Node): string => (keyOf(node) ?? '').replace(/^<+/, '')

/** White space around text is layout, but not in CDATA. */
function textOf(children: readonly Node[]): string {
  const parts = children.map(textIn)
  return children.some((child) => cdataKey in child) ? parts.filter((part) => part.trim() !== '').join('') : parts.join('').trim()
}

/** Elements among text are parts of its sentences, others stand apart. */
function wholeTextOf(children: readonly Node[]): string {
  const parts = children.map((child) => (isElement(child) ? wholeTextOf(child[keyOf(child) ?? ''] as readonly Node[]) : textIn(child))) // as in valueOf
  return parts.join(children.some((child) => textIn(child).trim() !== '') ? '' : ' ')
}

/** The text that a node is. */
const textIn = (child: Node): string => (textKey in child ? decode(String(child[textKey])) : cdataKey in child ? rawOf(child) : '')

const rawOf = (child: Node): string => (child[cdataKey] as readonly Node[]).map((part) => String(part[textKey])).join('') // CDATA holds one text

function decodeAll(attributes: Readonly<Record<string, string>>): Record<string, unknown> {
  const decoded = fields()
  for (const [name, value] of Object.entries(attributes)) decoded[name.slice(attributeMark.length)] = decode(value)
  return decoded
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const entities = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entities, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Without a prototype, so that elements of any name are data. */
const fields = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>
