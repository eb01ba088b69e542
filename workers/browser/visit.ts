import type { Browser, BrowserContext, Dialog, Page } from 'puppeteer'
import { Problem } from '../../src/platform/errors.ts'
import type { EgressProxy, OpenPassage } from './egressProxy.ts'
import type { Passage } from './passage.ts'
import { race } from './race.ts'
import type { Tabs } from './tabs.ts'

/** What a job works with: a context of its own, one page in it, and its way out. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Aborted when the job must end: its deadline, its caller, a crash, or a browser that is gone. */
  readonly signal: AbortSignal
  /** What this job connected to, and what was refused. */
  readonly egress: Passage
}

/** A context with its page, ready for a job and used by one at most. */
export interface Room {
  readonly context: BrowserContext
  readonly page: Page
  readonly passage: OpenPassage
  /** Aborted with a problem when the page or the browser is gone. */
  readonly broken: AbortController
}

/** Makes a fresh context whose only way out is a passage of its own. */
export async function makeRoom(browser: Browser, tabs: Tabs, proxy: EgressProxy): Promise<Room> {
  const passage = await proxy.open()
  let context: BrowserContext | undefined
  try {
    const { proxyServer } = passage
    context = await browser.createBrowserContext({ proxyServer, proxyBypassList: ['<-loopback>'], downloadBehavior: { policy: 'deny' } })
    const broken = new AbortController()
    tabs.onCrash(context, () => broken.abort(crashed()))
    const [page] = await race(broken.signal, Promise.all([context.newPage(), tabs.denyPermissions(context)]))
    page.once('error', () => broken.abort(crashed()))
    page.on('dialog', (dialog) => void answer(dialog))
    return { context, page, passage, broken }
  } catch (error) {
    passage.close()
    if (context) tabs.forget(context)
    context?.close().catch(() => undefined)
    throw error
  }
}

const crashed = (): Problem => new Problem('target_failed', 'The page crashed the browser tab.')

/** Nobody is there to read a dialog; one that asks whether to leave is told yes, for a job goes where it goes. */
const answer = (dialog: Dialog): Promise<void> => (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()).catch(() => undefined)
