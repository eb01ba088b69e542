import type { CDPSession, Protocol } from 'puppeteer'
import { globMatcher } from '../../../src/query/browser/globs.ts'
import { inEveryTarget } from './targets.ts'
import type { Tab } from './tab.ts'

/** Why a request is not made; undefined where it is. */
type Decide = (paused: Protocol.Fetch.RequestPausedEvent) => Promise<Protocol.Network.ErrorReason | undefined>

/** Blocks requests by globs, and asks for a permit before each document of the main frame. The document itself is never blocked. */
export async function openGate(tab: Tab, globs: readonly string[]): Promise<void> {
  const { session, permit, frameId } = tab
  const isBlocked = globMatcher(globs)
  const decide: Decide = async ({ request: { url }, resourceType, frameId: frame }) => {
    if (resourceType !== 'Document' || frame !== frameId) return isBlocked(url) ? 'BlockedByClient' : undefined
    try {
      await permit?.(url)
      return undefined
    } catch (error) {
      tab.refusal = error instanceof Error ? error : new Error(String(error))
      return 'Aborted'
    }
  }
  if (globs.length > 0) await inEveryTarget(session, (target) => guard(target, [{ urlPattern: '*' }], decide))
  else if (permit) await guard(session, [{ urlPattern: '*', resourceType: 'Document' }], decide)
}

async function guard(session: CDPSession, patterns: readonly Protocol.Fetch.RequestPattern[], decide: Decide): Promise<void> {
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId } = paused
    const answer = async (): Promise<void> => {
      const errorReason = await decide(paused)
      if (errorReason) await session.send('Fetch.failRequest', { requestId, errorReason })
      else await session.send('Fetch.continueRequest', { requestId })
    }
    // A request that is gone meanwhile needs no answer.
    answer().catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [...patterns] })
}
