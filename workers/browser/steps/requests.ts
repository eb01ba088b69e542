import type { RequestsCaptured } from '../../../src/contract/krull/replies.ts'
import { bounds } from './bounds.ts'
import { captureSession } from './captureSession.ts'
import { evaluate, type Scripting } from './expression.ts'
import { load, type LoadOptions } from './load.ts'
import { describePage } from './pageInfo.ts'
import { Recorder } from './recorder.ts'
import type { Tab } from './tab.ts'

/** A page whose requests are captured. */
export interface RequestsOptions extends LoadOptions, Scripting {
  readonly expression?: string
  readonly responseText?: boolean
  readonly session?: boolean
}

/** Loads a page and answers every request that it made. */
export async function captureRequests(tab: Tab, options: RequestsOptions): Promise<Omit<RequestsCaptured, 'attempts'>> {
  const recorder = await Recorder.open(tab, options)
  const ms = await load(tab, options)
  if (options.ready === undefined) await quiet(tab)
  const value = options.expression === undefined ? {} : { result: await evaluate(tab, options.expression, options) }
  if (options.expression !== undefined) await quiet(tab)
  const kept = options.session === true ? await captureSession(tab) : {}
  return { ...(await recorder.read()), ...value, ...kept, page: await describePage(tab, ms) }
}

/** Gives requests that begin late a while to end; a page that never rests does not fail by it. */
const quiet = ({ visit: { page, signal } }: Tab): Promise<void> =>
  page.waitForNetworkIdle({ idleTime: bounds.quietMs, timeout: bounds.settleMs, signal }).catch(() => undefined)
