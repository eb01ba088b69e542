import type { FormSubmitted } from '../../../src/contract/krull/replies.ts'
import { Problem } from '../../../src/platform/errors.ts'
import { captureSession } from './captureSession.ts'
import { follow } from './follow.ts'
import { fillSource, submitSource, type Filling } from './formSource.ts'
import { load, type LoadOptions } from './load.ts'
import { describePage } from './pageInfo.ts'
import { wrongSelector } from './selector.ts'
import { isLeft, type Tab } from './tab.ts'

/** A form, what it is filled with and what is clicked. */
export interface FormOptions extends LoadOptions {
  readonly selectorValuePairs: readonly (readonly [selector: string, value: string])[]
  readonly submitSelector: string
}

/** Fills a form, submits it, waits for the load that follows, and captures cookies and storages. */
export async function submitForm(tab: Tab, options: FormOptions): Promise<Omit<FormSubmitted, 'attempts'>> {
  const { selectorValuePairs, submitSelector, ready } = options
  const ms = await load(tab, options)
  for (const [index, [selector, value]] of selectorValuePairs.entries()) {
    check(await tab.ask<Filling>(fillSource, { selector, value }), `/selectorValuePairs/${index}/0`, selector, value)
  }
  await follow(tab, ready, async () => check(await submit(tab, submitSelector), '/submitSelector', submitSelector))
  return { ...(await captureSession(tab)), page: await describePage(tab, ms) }
}

/** A page can be left in the very moment of the click. */
async function submit(tab: Tab, selector: string): Promise<Filling> {
  try {
    return await tab.askOnce<Filling>(submitSource, { selector })
  } catch (error) {
    if (isLeft(error)) return 'done'
    throw error
  }
}

function check(filling: Filling, path: string, selector: string, value = ''): void {
  const shown = selector.slice(0, 200)
  if (filling === 'wrong') throw wrongSelector(path, selector)
  if (filling === 'missing') throw new Problem('selector_not_found', `Nothing in the page matches the selector ${shown}.`)
  if (filling === 'noOption') throw new Problem('unprocessable', `The list ${shown} has no option ${value.slice(0, 200)}.`)
  if (filling === 'noField') throw new Problem('unprocessable', `What the selector ${shown} matches first cannot be filled with text.`)
}
