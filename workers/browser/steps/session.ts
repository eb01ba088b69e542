import type { SessionCaptured } from '../../../src/contract/krull/replies.ts'
import { Problem } from '../../../src/platform/errors.ts'
import { bounds } from './bounds.ts'
import { captureSession } from './captureSession.ts'
import { act, type Scripting } from './expression.ts'
import { follow } from './follow.ts'
import { load, type LoadOptions } from './load.ts'
import { describePage } from './pageInfo.ts'
import type { Tab } from './tab.ts'
import { waitFor } from './waitFor.ts'

/** A page, and what is done in it and in those that follow. */
export interface SessionOptions extends LoadOptions, Scripting {
  readonly expression: string | readonly string[]
}

type Steps = SessionCaptured['steps']

/** Loads a page, runs each expression, waits for the load that follows, and captures cookies and storages every time. */
export async function runSession(tab: Tab, options: SessionOptions): Promise<Omit<SessionCaptured, 'attempts'>> {
  const expressions = typeof options.expression === 'string' ? [options.expression] : options.expression
  let ms = await load(tab, options)
  const first = await captureSession(tab)
  const steps: Steps = [{ ...placeOf(tab), result: null, ...first }]
  let [last, left] = [first, bounds.sessionChars - sizeOf(first)]
  for (const expression of expressions) {
    const start = performance.now()
    const result = await follow(tab, options.ready, () => act(tab, expression, options))
    await waitFor(tab, options)
    ms = Math.round(performance.now() - start)
    last = await captureSession(tab)
    left -= sizeOf(last)
    if (left < 0) throw new Problem('target_too_large', `The storages of all loads hold more than ${bounds.sessionChars} characters.`)
    steps.push({ ...placeOf(tab), result, ...last })
  }
  return { steps, ...last, page: await describePage(tab, ms) }
}

const placeOf = ({ visit, documents }: Tab): Pick<Steps[number], 'url' | 'status'> => ({
  url: visit.page.url(),
  status: documents.response?.status() ?? null,
})

const sizeOf = (kept: object): number => JSON.stringify(kept).length
