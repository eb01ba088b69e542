import { Problem } from '../../src/platform/errors.ts'
import type { EgressProxy } from './egressProxy.ts'
import { launchBrowser, type LaunchOptions, type RunningBrowser } from './launch.ts'
import { settledWithin } from './race.ts'
import { Tabs } from './tabs.ts'
import { makeRoom, type Room } from './visit.ts'
import { isGone } from './workErrors.ts'

/** How long a context may take to be made, and to be closed, before its browser counts as stuck. */
const makeBoundMs = 6_000
const closeBoundMs = 3_000

/** One browser with the rooms in it: those that jobs use, and those that stand ready. */
export class House {
  readonly running: RunningBrowser
  readonly since = Date.now()
  /** Jobs that began here. */
  jobs = 0
  readonly #tabs: Tabs
  readonly #proxy: EgressProxy
  readonly #used = new Set<Room>()
  readonly #ready: Room[] = []
  readonly #wanted: number
  #making = 0
  #ending: Promise<void> | undefined
  #end: () => void = () => undefined
  /** Settles when the browser and its folders are gone. */
  readonly ended = new Promise<void>((end) => (this.#end = end))
  #leaving = false

  private constructor(running: RunningBrowser, tabs: Tabs, proxy: EgressProxy, wanted: number) {
    this.running = running
    this.#tabs = tabs
    this.#proxy = proxy
    this.#wanted = wanted
    running.browser.once('disconnected', () => this.#onGone())
  }

  /** Starts a browser that keeps so many rooms ready. */
  static async open(options: LaunchOptions, proxy: EgressProxy, wanted: number): Promise<House> {
    const running = await launchBrowser(options)
    try {
      const tabs = await Tabs.watch(await running.browser.target().createCDPSession())
      const house = new House(running, tabs, proxy, wanted)
      house.#refill()
      return house
    } catch (error) {
      await running.close()
      throw error
    }
  }

  /** Whether jobs can still begin here. */
  get open(): boolean {
    return !this.#leaving && this.running.browser.connected
  }

  /** Rooms in use. */
  get used(): number {
    return this.#used.size
  }

  /** Rooms that stand ready. */
  get ready(): number {
    return this.#ready.length
  }

  /** A fresh room for a job; fails when the browser ends or is stuck meanwhile. */
  async enter(): Promise<Room> {
    this.jobs += 1
    const room = this.#takeReady() ?? (await this.#make())
    this.#used.add(room)
    this.#refill()
    return room
  }

  /** Closes a room for ever; a browser that cannot is ended by force. */
  async leave(room: Room): Promise<void> {
    room.passage.close()
    this.#tabs.forget(room.context)
    const closed = await settledWithin(closeBoundMs, room.context.close())
    if (!closed && this.running.browser.connected) this.#kill()
    this.#used.delete(room)
    if (this.#leaving && this.#used.size === 0) await this.close()
  }

  /** Lets no more jobs in, and ends the browser when the last one has left. */
  async retire(): Promise<void> {
    this.#leaving = true
    if (this.#used.size === 0) await this.close()
  }

  /** Ends the browser with everything in it. */
  close(): Promise<void> {
    this.#leaving = true
    for (const room of this.#ready.splice(0)) room.passage.close()
    this.#ending ??= this.running.close().finally(this.#end)
    return this.#ending
  }

  /** Ends a stuck browser by force. The news of its end takes a while, in which no job may begin here. */
  #kill(): void {
    this.#leaving = true
    this.running.kill()
  }

  #takeReady(): Room | undefined {
    const room = this.#ready.shift()
    if (!room || !isGone(room.page)) return room
    void this.leave(room)
    return this.#takeReady()
  }

  async #make(): Promise<Room> {
    const making = makeRoom(this.running.browser, this.#tabs, this.#proxy)
    if (!(await settledWithin(makeBoundMs, making)) && this.running.browser.connected) this.#kill()
    const room = await making
    if (isGone(room.page)) {
      await this.leave(room)
      throw new Problem('unavailable', 'The page was gone as soon as it was there.')
    }
    room.broken.signal.addEventListener('abort', () => this.#forget(room), { once: true })
    return room
  }

  /** A room that broke before any job came is of no use to one. */
  #forget(room: Room): void {
    const index = this.#ready.indexOf(room)
    if (index === -1) return
    this.#ready.splice(index, 1)
    void this.leave(room).then(() => this.#refill())
  }

  #refill(): void {
    while (this.open && this.#ready.length + this.#making < this.#wanted) {
      this.#making += 1
      void this.#make().then((room) => this.#keep(room), () => undefined).finally(() => (this.#making -= 1))
    }
  }

  #keep(room: Room): void {
    if (this.open) this.#ready.push(room)
    else void this.leave(room)
  }

  #onGone(): void {
    const reason = new Problem('target_failed', 'The browser ended while the job ran. Try it again.')
    for (const room of [...this.#used, ...this.#ready]) room.broken.abort(reason)
    void this.close()
  }
}
