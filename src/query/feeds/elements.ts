import { wholeText } from '../formats/xml.ts'

/** An element as the reader of XML gives it: a text, or its children as lists beside `attributes` and `textContent`. */
export type Element = string | Readonly<Record<string, unknown>>

/** The children of this name. */
export function children(element: Element | undefined, name: string): readonly Element[] {
  if (element === undefined || typeof element === 'string' || !Object.hasOwn(element, name)) return []
  const list = element[name]
  return Array.isArray(list) ? (list as readonly Element[]) : [] // every child element is a list
}

/** The text of an element, its children's too; null where there is none. */
export function textOf(element: Element | undefined): string | null {
  if (element === undefined) return null
  const text = typeof element === 'string' ? element : textWithin(element)
  return text.trim() === '' ? null : text.trim()
}

/** The text of the first of these children that has one. */
export function childText(element: Element | undefined, ...names: readonly string[]): string | null {
  for (const name of names) {
    for (const child of children(element, name)) {
      const text = textOf(child)
      if (text !== null) return text
    }
  }
  return null
}

/** The value of an attribute. */
export function attribute(element: Element | undefined, name: string): string | null {
  const attributes = typeof element === 'object' ? element['attributes'] : undefined
  if (typeof attributes !== 'object' || attributes === null || !Object.hasOwn(attributes, name)) return null
  const value = (attributes as Readonly<Record<string, unknown>>)[name] // an object that has it
  return typeof value === 'string' ? value : null
}

function textWithin(element: Readonly<Record<PropertyKey, unknown>>): string {
  const [own, whole] = [element['textContent'], element[wholeText]]
  if (typeof whole === 'string') return whole.replaceAll(/\s+/g, ' ')
  return typeof own === 'string' ? own : ''
}
