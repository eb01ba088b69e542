import { badConfigurationCode, startChild, type ChildSetting } from './child.ts'
import type { Printer } from './printer.ts'
import type { ProcessKind } from './procfile.ts'
import { StartError } from './startError.ts'
import { supervise, type Ending, type Launch, type Listener, type Running, type Supervised } from './supervise.ts'

const tailLines = 12
const mostEarlyEnds = 5

/** Holds everything that a start has set going: restarts what ends, and ends it all, children first and servers last. */
export class Runner {
  readonly #printer: Printer
  readonly #servers: Supervised[] = []
  readonly #children: Supervised[] = []
  readonly #tails = new Map<string, string[]>()
  readonly #earlyEnds = new Map<string, number>()
  readonly #ending = new AbortController()
  #failure: Error | null = null
  #ready = false

  constructor(printer: Printer) {
    this.#printer = printer
  }

  /** Aborted when everything is to end. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Keeps a server running that has been started. */
  addServer(name: string, first: Running, launch: Launch): void {
    this.#servers.push(supervise(name, first, launch, this.#listener()))
  }

  /** Starts a process of the Procfile and keeps it running. */
  addChild(name: string, kind: ProcessKind, setting: Omit<ChildSetting, 'onLine'>): void {
    const start = (): Running => {
      const tail: string[] = []
      this.#tails.set(name, tail)
      const onLine = (text: string): void => {
        tail.push(text)
        if (tail.length > tailLines) tail.shift()
        this.#printer.line(name, text)
      }
      return startChild(kind, { ...setting, onLine })
    }
    this.#children.push(supervise(name, start(), async () => start(), this.#listener()))
  }

  /** From now on a process that ends again and again is only restarted; before, it fails the start. */
  markReady(): void {
    this.#ready = true
  }

  /** Asks for the end of everything; with an error, the start has failed. */
  requestEnd(failure: Error | null = null): void {
    if (this.ending.aborted) return
    this.#failure = failure
    this.#ending.abort()
  }

  /** Resolves when an end is asked for; rejects with the failure that asked for it. */
  async untilEnding(): Promise<void> {
    if (!this.ending.aborted) await new Promise((resolve) => this.ending.addEventListener('abort', resolve, { once: true }))
    if (this.#failure) throw this.#failure
  }

  /** Ends the children, all at once, and then the servers that they need to drain. */
  async stopAll(): Promise<void> {
    this.requestEnd()
    await Promise.all(this.#children.map((child) => child.stop()))
    await Promise.all(this.#servers.map((server) => server.stop()))
  }

  /** Ends everything at once. */
  async killAll(): Promise<void> {
    this.requestEnd()
    await Promise.all([...this.#children, ...this.#servers].map((one) => one.kill()))
  }

  /** The last lines of a process in its present life, for a message. */
  tailOf(name: string): string {
    return (this.#tails.get(name) ?? []).map((line) => `    ${line}`).join('\n')
  }

  #listener(): Listener {
    return {
      onEnd: (name, ending, waitMs) => {
        if (!this.#failOn(name, ending)) this.#printer.say(`${name} ${ending.words}; it starts again in ${(waitMs / 1000).toFixed(1)} s`)
      },
      onRestart: (name, pid) => this.#printer.say(`${name} runs again (process ${pid})`),
    }
  }

  /** Some ends must not be followed by a start: those of bad settings, and too many of them before anything worked. */
  #failOn(name: string, ending: Ending): boolean {
    const count = (this.#earlyEnds.get(name) ?? 0) + 1
    if (!this.#ready) this.#earlyEnds.set(name, count)
    if (ending.code === badConfigurationCode) {
      this.requestEnd(new StartError(`${name} cannot run with these settings:\n${this.tailOf(name)}`))
      return true
    }
    if (this.#ready || count < mostEarlyEnds) return false
    const what = `${name} ${ending.words}, ${count} times in a row, before the service was ready. Its last lines:`
    this.requestEnd(new StartError(`${what}\n${this.tailOf(name)}`))
    return true
  }
}
