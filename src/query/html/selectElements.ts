import { compile, selectAll } from 'css-select'
import { Problem } from '../../platform/errors.ts'
import { rawTextOf } from './innerText.ts'
import { childrenOf, isElement, type HtmlElement, type HtmlNode, type HtmlParent } from './parseHtml.ts'

/** Steps through the tree that one selection may take: some selectors look from every element at every other. */
const maxSteps = 100_000_000

/** Most characters of a selector: far more than anyone writes, few enough to be read at once. */
const maxChars = 20_000

/** Throws what is wrong with a selector. */
export function checkSelector(selector: string): void {
  if (selector.length > maxChars) throw new Error(`it is longer than ${maxChars.toLocaleString('en')} characters`)
  compile<HtmlNode, HtmlElement>(selector, { adapter: countingAdapter(selector) })
}

/** The elements below a node that a CSS selector matches, in the order of the text. */
export function selectElements(selector: string, root: HtmlParent): HtmlElement[] {
  return selectAll<HtmlNode, HtmlElement>(selector, root, { adapter: countingAdapter(selector) })
}

const attributeOf = (element: HtmlElement, name: string): string | undefined => element.attrs.find((attribute) => attribute.name === name)?.value

const parentOf = (node: HtmlNode): HtmlParent | null => ('parentNode' in node ? node.parentNode : null)

/** How the selector walks through the tree; every walk counts. */
function countingAdapter(selector: string) {
  let steps = 0
  const count = (more: number): void => {
    steps += more
    if (steps > maxSteps) throw new Problem('unprocessable', `The selector ${selector.slice(0, 100)} takes too many steps on this HTML. Use one with fewer sibling and position conditions.`)
  }
  const counted = <Given extends unknown[], Result>(walk: (...given: Given) => Result): ((...given: Given) => Result) => (...given) => {
    count(1)
    return walk(...given)
  }
  return {
    isTag: (node: HtmlNode): node is HtmlElement => {
      count(1)
      return isElement(node)
    },
    getAttributeValue: counted(attributeOf),
    hasAttrib: counted((element: HtmlElement, name: string) => attributeOf(element, name) !== undefined),
    getChildren: counted((node: HtmlNode): HtmlNode[] => childrenOf(node)),
    getName: counted((element: HtmlElement) => element.tagName),
    getParent: counted((element: HtmlElement): HtmlNode | null => parentOf(element)),
    getSiblings: counted((node: HtmlNode): HtmlNode[] => parentOf(node)?.childNodes ?? [node]),
    getText: (node: HtmlNode): string => {
      const text = rawTextOf(node)
      count(1 + text.length)
      return text
    },
    removeSubsets: withoutDescendants,
  }
}

function withoutDescendants(nodes: HtmlNode[]): HtmlNode[] {
  const all = new Set(nodes)
  return [...all].filter((node) => {
    for (let above = parentOf(node); above; above = parentOf(above)) if (all.has(above)) return false
    return true
  })
}
