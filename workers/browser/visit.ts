import type { Browser, BrowserContext, CDPSession, Dialog, Page } from 'puppeteer'
import { Problem } from '../../src/platform/errors.ts'
import type { EgressProxy, OpenPassage } from './egressProxy.ts'
import { isGone } from './gone.ts'
import type { Passage } from './passage.ts'

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
export async function makeRoom(browser: Browser, session: CDPSession, proxy: EgressProxy): Promise<Room> {
  const passage = await proxy.open()
  let context: BrowserContext | undefined
  try {
    const { proxyServer } = passage
    context = await browser.createBrowserContext({ proxyServer, proxyBypassList: ['<-loopback>'], downloadBehavior: { policy: 'deny' } })
    const [page] = await Promise.all([context.newPage(), denyPermissions(session, context)])
    const broken = watch(page)
    if (isGone(page)) throw new Error('The page was gone as soon as it was there.')
    return { context, page, passage, broken }
  } catch (error) {
    passage.close()
    context?.close().catch(() => undefined)
    throw error
  }
}

/** An empty grant refuses everything else. */
const denyPermissions = (session: CDPSession, { id }: BrowserContext): Promise<void> =>
  session.send('Browser.grantPermissions', { permissions: [], ...(id === undefined ? {} : { browserContextId: id }) })

function watch(page: Page): AbortController {
  const broken = new AbortController()
  page.once('error', () => broken.abort(new Problem('target_failed', 'The page crashed the browser tab.')))
  page.on('dialog', (dialog) => void answer(dialog))
  return broken
}

/** Nobody is there to read a dialog; one that asks whether to leave is told yes, for a job goes where it goes. */
const answer = (dialog: Dialog): Promise<void> => (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()).catch(() => undefined)

/** Closes every window that a page opens, by its number and without attaching to it; the headless shell opens none in the first place. */
export async function closePopups(session: CDPSession): Promise<void> {
  session.on('Target.targetCreated', ({ targetInfo: { type, openerId, targetId } }) => {
    if (type === 'page' && openerId !== undefined) session.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  await session.send('Target.setDiscoverTargets', { discover: true })
}
