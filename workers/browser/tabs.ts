import type { BrowserContext, CDPSession } from 'puppeteer'

/** Watches the tabs of a browser from outside: a tab that crashes before anybody is attached to it says so nowhere else. */
export class Tabs {
  readonly #session: CDPSession
  /** The context that each tab is in. */
  readonly #contexts = new Map<string, string>()
  readonly #crashListeners = new Map<string, () => void>()

  private constructor(session: CDPSession) {
    this.#session = session
    session.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
      if (type !== 'page' || browserContextId === undefined) return
      if (openerId === undefined) this.#contexts.set(targetId, browserContextId)
      else this.#close(targetId)
    })
    session.on('Target.targetDestroyed', ({ targetId }) => void this.#contexts.delete(targetId))
    session.on('Target.targetCrashed', ({ targetId }) => this.#crashListeners.get(this.#contexts.get(targetId) ?? '')?.())
  }

  /** Begins to watch; windows that pages open are closed from now on, where the browser opens them at all. */
  static async watch(session: CDPSession): Promise<Tabs> {
    const tabs = new Tabs(session)
    await session.send('Target.setDiscoverTargets', { discover: true })
    return tabs
  }

  /** Calls back when the tab of a context crashes, until the context is forgotten. */
  onCrash({ id = '' }: BrowserContext, listener: () => void): void {
    this.#crashListeners.set(id, listener)
  }

  /** Listens for a context no more. */
  forget({ id = '' }: BrowserContext): void {
    this.#crashListeners.delete(id)
  }

  /** Refuses every permission to a context: an empty grant refuses everything else. */
  async denyPermissions({ id }: BrowserContext): Promise<void> {
    await this.#session.send('Browser.grantPermissions', { permissions: [], ...(id === undefined ? {} : { browserContextId: id }) })
  }

  #close(targetId: string): void {
    this.#session.send('Target.closeTarget', { targetId }).catch(() => undefined)
  }
}
