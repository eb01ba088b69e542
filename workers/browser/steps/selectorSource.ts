/** What the source below answers. */
export interface FoundElements {
  /** The selector cannot be read. */
  readonly wrong?: boolean
  /** The elements hold more than is taken. */
  readonly over?: boolean
  readonly elements: readonly FoundElement[]
  /** The outer HTML of every parent, each once. */
  readonly parents: readonly string[]
}

interface FoundElement {
  readonly nodeName: string
  readonly attributes: Record<string, string>
  readonly innerText: string
  readonly innerHTML?: string
  readonly outerHTML?: string
  readonly boundingClientRect?: Record<'x' | 'y' | 'width' | 'height' | 'top' | 'right' | 'bottom' | 'left', number>
  /** Its place among the parents; -1 without one. */
  readonly parent: number
}

/** Source of a function that looks a selector up; members of the document come from its class, for the page may name elements like them. */
export const findSource = (jquery: string | null): string =>
  jquery === null
    ? '(selector) => [...Document.prototype.querySelectorAll.call(document, selector)]'
    : `(selector) => (${jquery}).find(selector, document)`

/** Source of a function that takes all of the elements that a selector matches; names of fields in a form cannot hide its members. */
export const selectSource = (find: string): string => `({ selector, html, hashtml, dimension, most }) => {
  const getter = (of, name) => {
    const { get } = Object.getOwnPropertyDescriptor(of.prototype, name)
    return (element) => get.call(element)
  }
  const [inner, outer, text] = [getter(Element, 'innerHTML'), getter(Element, 'outerHTML'), getter(HTMLElement, 'innerText')]
  const [nodeName, textContent, parentOf] = [getter(Node, 'nodeName'), getter(Node, 'textContent'), getter(Node, 'parentElement')]
  const { getAttributeNames, getAttribute, getBoundingClientRect } = Element.prototype
  let found
  try {
    found = (${find})(selector)
  } catch {
    return { wrong: true, elements: [], parents: [] }
  }
  let left = most
  const take = (value) => {
    left -= value.length
    return value
  }
  const places = new Map()
  const parents = []
  const placeOf = (parent) => {
    if (!parent) return -1
    if (!places.has(parent)) places.set(parent, parents.push(take(outer(parent))) - 1)
    return places.get(parent)
  }
  const boxOf = (element) => {
    const { x, y, width, height, top, right, bottom, left } = getBoundingClientRect.call(element)
    return { x, y, width, height, top, right, bottom, left }
  }
  const describe = (element) => ({
    nodeName: nodeName(element).toUpperCase(),
    attributes: Object.fromEntries(getAttributeNames.call(element).map((name) => [take(name), take(getAttribute.call(element, name) ?? '')])),
    innerText: take(element instanceof HTMLElement ? text(element) : textContent(element) ?? ''),
    ...(html || hashtml ? { innerHTML: take(inner(element)), outerHTML: take(outer(element)) } : {}),
    ...(dimension ? { boundingClientRect: boxOf(element) } : {}),
    parent: hashtml ? placeOf(parentOf(element)) : -1,
  })
  const elements = []
  for (const element of found) {
    elements.push(describe(element))
    left -= 100
    if (left < 0) return { over: true, elements: [], parents: [] }
  }
  return { elements, parents }
}`
