import type { Cookie } from '../../../src/contract/krull/options.ts'
import { Problem } from '../../../src/platform/errors.ts'
import { inSpan } from '../../../src/platform/tracing.ts'
import { checkArrival, navigationProblem, readyEvents, type Ready } from './arrival.ts'
import { setCookies } from './cookies.ts'
import { emulate, type Appearance } from './emulate.ts'
import { openGate } from './gate.ts'
import { fillStorages, type StorageValues } from './storages.ts'
import type { Tab } from './tab.ts'
import { waitFor, type Waiting } from './waitFor.ts'

/** How a page is loaded. */
export interface LoadOptions extends Appearance, StorageValues, Waiting {
  readonly url: string
  readonly cookieStorage?: Readonly<Record<string, Cookie>>
  readonly filter?: readonly string[]
  readonly ready?: Ready
}

/** Loads a page, and answers how many milliseconds that took. A page that answers 404 or 500 is a page too. */
export async function load(tab: Tab, options: LoadOptions): Promise<number> {
  checkAddress(options.url)
  const forgetStorages = await prepare(tab, options)
  const start = performance.now()
  await navigate(tab, options)
  await forgetStorages()
  await waitFor(tab, options)
  return Math.round(performance.now() - start)
}

async function prepare(tab: Tab, options: LoadOptions): Promise<() => Promise<void>> {
  const { url, cookieStorage = {}, filter = [] } = options
  const [forgetStorages] = await Promise.all([
    fillStorages(tab, url, options),
    openGate(tab, filter),
    emulate(tab, options),
    setCookies(tab, url, cookieStorage),
  ])
  return forgetStorages
}

async function navigate(tab: Tab, { url, ready = 'winload' }: LoadOptions): Promise<void> {
  const { page, signal } = tab.visit
  try {
    await inSpan('page', () => ({ kind: 'client', facts: { 'server.address': new URL(url).hostname } }), async (span) => {
      const response = await page.goto(url, { waitUntil: readyEvents[ready], timeout: tab.navigationMs, signal })
      if (response) span?.tell({ 'http.response.status_code': response.status() })
      tab.documents.show(response)
      await checkArrival(tab, response)
    })
  } catch (error) {
    if (tab.refusal !== undefined) throw tab.refusal
    throw await navigationProblem(tab, error)
  }
}

/** Every address is checked here once more: a browser opens more than the web. */
function checkAddress(url: string): void {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (!isWeb) throw new Problem('target_forbidden', 'Only http and https addresses can be opened.')
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') throw new Problem('target_forbidden', 'The address must not hold a user name or password.')
}
