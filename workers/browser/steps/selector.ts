import { createHash } from 'node:crypto'
import type { ElementsSelected } from '../../../src/contract/krull/replies.ts'
import { invalidField, Problem } from '../../../src/platform/errors.ts'
import { bounds } from './bounds.ts'
import { librarySource } from './libraries.ts'
import { findSource, selectSource, type FoundElements } from './selectorSource.ts'
import type { Tab } from './tab.ts'

/** Who looks selectors up. */
export type Engine = 'dom' | 'jquery'

/** What is taken of each element. */
export interface SelectorOptions {
  readonly selector: string
  readonly engine?: Engine
  readonly html?: boolean
  readonly hashtml?: boolean
  readonly dimension?: boolean
}

/** Source of an expression whose value is a function from a selector to its elements. */
export const finderSource = async (engine: Engine = 'dom'): Promise<string> =>
  findSource(engine === 'jquery' ? await librarySource('jquery') : null)

/** The elements that a selector matches, taken in one go in a world of our own, so that nothing of the page gets in between. */
export async function select(tab: Tab, options: SelectorOptions): Promise<Pick<ElementsSelected, 'elements' | 'total'>> {
  const { selector, engine, html = true, hashtml = false, dimension = true } = options
  const wishes = { selector, html, hashtml, dimension, most: bounds.elementChars }
  const found = await tab.ask<FoundElements>(selectSource(await finderSource(engine)), wishes)
  if (found.wrong) throw wrongSelector('/selector', selector)
  if (found.over) {
    const advice = 'Use a narrower selector, or leave html and hashtml out.'
    throw new Problem('target_too_large', `The elements hold more than ${bounds.elementChars} characters. ${advice}`)
  }
  const parentHashes = found.parents.map(hash)
  const elements = found.elements.map(({ parent, innerHTML = '', outerHTML = '', ...element }) => ({
    ...element,
    ...(html ? { innerHTML, outerHTML } : {}),
    ...(hashtml ? { innerHTMLHash: hash(innerHTML), outerHTMLHash: hash(outerHTML), parentHTMLHash: parentHashes[parent] ?? hash('') } : {}),
  }))
  return { elements, total: elements.length }
}

/** The problem of a selector that cannot be read. */
export const wrongSelector = (path: string, selector: string): Problem =>
  invalidField(path, `must be a valid selector, which ${selector.slice(0, 200)} is not`)

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
