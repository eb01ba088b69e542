import { CDPSessionEvent, type CDPSession } from 'puppeteer'

/** Begins something in a tab, and in every frame and worker with a process or thread of its own before it makes its first request. */
export async function inEveryTarget(session: CDPSession, begin: (session: CDPSession) => Promise<unknown>): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child: CDPSession) => {
    // Frames and workers come and go as they like; one that is gone needs nothing.
    inEveryTarget(child, begin).catch(() => undefined)
    child.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
  })
  const attaching = session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
  await Promise.all([begin(session), attaching])
}
