import type { HTTPRequest, Page } from 'puppeteer'
import { checkArrival, navigationProblem, netProblem, readyEvents, type Ready } from './arrival.ts'
import { bounds } from './bounds.ts'
import type { Tab } from './tab.ts'

/** Does something in the page and waits for the load that follows, if one does. */
export async function follow<T>(tab: Tab, ready: Ready = 'winload', act: () => Promise<T>): Promise<T> {
  const { page, signal } = tab.visit
  const over = new AbortController()
  const watch = new Departure(page)
  const ending = AbortSignal.any([signal, over.signal])
  const arrival = page.waitForNavigation({ waitUntil: readyEvents[ready], timeout: tab.navigationMs, signal: ending })
  arrival.catch(() => undefined)
  try {
    const value = await act()
    await Promise.race([arrival, settle(page, over.signal), watch.failed])
    if (tab.refusal !== undefined) throw tab.refusal
    if (watch.left) tab.documents.show(await Promise.race([arrival, watch.failed]))
    const failure = watch.left ? tab.documents.failure : undefined
    if (failure !== undefined) throw netProblem(tab, failure.replace('net::', ''))
    if (watch.left) await checkArrival(tab, tab.documents.response)
    return value
  } catch (error) {
    throw await navigationProblem(tab, error)
  } finally {
    watch.end()
    over.abort()
  }
}

/** Until the network is quiet: what an action asks for may lead on when it comes. */
const settle = (page: Page, signal: AbortSignal): Promise<void> =>
  page.waitForNetworkIdle({ idleTime: bounds.quietMs, timeout: bounds.settleMs, signal }).catch(() => undefined)

/** Whether the main frame goes elsewhere. */
class Departure {
  readonly #page: Page
  #asked: HTTPRequest | undefined
  /** Settles when a document that was asked for will not be shown: a download, or an answer without content. */
  readonly failed: Promise<null>
  #fail: () => void = () => undefined

  constructor(page: Page) {
    this.#page = page
    this.failed = new Promise((resolve) => (this.#fail = () => resolve(null)))
    page.on('request', this.#onRequest)
    page.on('requestfailed', this.#onFailed)
  }

  /** Whether a document was asked for that is shown, or will be. */
  get left(): boolean {
    return this.#asked !== undefined
  }

  end(): void {
    this.#page.off('request', this.#onRequest)
    this.#page.off('requestfailed', this.#onFailed)
  }

  readonly #onRequest = (request: HTTPRequest): void => {
    if (this.#isDocument(request)) this.#asked = request
  }

  readonly #onFailed = (request: HTTPRequest): void => {
    if (request !== this.#asked || !request.failure()?.errorText.includes('ERR_ABORTED')) return
    this.#asked = undefined
    this.#fail()
  }

  readonly #isDocument = (request: HTTPRequest): boolean => request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
}
