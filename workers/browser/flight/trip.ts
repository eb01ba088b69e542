import { Problem } from '../../../src/platform/errors.ts'
import { race } from '../race.ts'
import type { Tab } from '../steps/tab.ts'
import { flightBounds } from './bounds.ts'
import { ConsoleLog } from './consoleLog.ts'
import { NetworkLog } from './networkLog.ts'
import { takeThumbnail } from './thumbnail.ts'

/** One attempt of a task in its page: what is seen of it until it ends well or lands in a failure. */
export class Trip {
  readonly console: ConsoleLog
  readonly network: NetworkLog
  readonly startedAt = Date.now()
  /** The page at the moment of the failure. */
  thumbnail: Buffer | null = null
  /** Values of cookies that were there then. */
  cookies: string[] = []
  url = ''
  browser = 'Chromium'
  readonly #tab: Tab
  #settle: () => void = () => undefined
  /** Settles when all has been seen that will be. */
  readonly landed = new Promise<void>((settle) => (this.#settle = settle))

  constructor(tab: Tab) {
    this.#tab = tab
    this.console = new ConsoleLog(tab.visit.page)
    this.network = new NetworkLog(tab.visit.page)
  }

  /** The task has ended well: nobody will ask. */
  end(): void {
    this.console.end()
    this.network.end()
    this.#settle()
  }

  /** Looks at the page of a failure while it is still there; work that was stopped from outside is let go at once. */
  async land(error: unknown): Promise<void> {
    try {
      this.url = this.#tab.documents.lastUrl
      if (error instanceof Problem && error.code !== 'unavailable') await this.#look()
    } catch {
      // A page that is gone has nothing to show, and the failure itself is what counts.
    } finally {
      this.end()
    }
  }

  async #look(): Promise<void> {
    const signal = AbortSignal.timeout(flightBounds.landMs)
    const cookies = race(signal, this.#tab.visit.context.cookies()).catch(() => [])
    const version = race(signal, this.#tab.visit.page.browser().version()).catch(() => this.browser)
    const [picture, found, browser] = await Promise.all([takeThumbnail(this.#tab, signal), cookies, version])
    this.thumbnail = picture
    this.browser = browser
    this.cookies = found.map(({ value }) => value)
  }
}
