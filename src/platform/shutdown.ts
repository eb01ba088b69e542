import type { Logger } from './logger.ts'

interface Step {
  readonly name: string
  readonly close: () => Promise<unknown> | void
}

const parentGone = 'parent gone'

/** A runner that was killed takes its servers with it, so there is little that could still be ended in order. */
const orphanBoundMs = 10_000

/** The ordered end of a process: what was opened last is closed first. */
export class Shutdown {
  readonly #steps: Step[] = []
  readonly #log: Logger
  readonly #boundMs: number
  #running: Promise<void> | undefined

  constructor(log: Logger, boundMs = 28_000) {
    this.#log = log
    this.#boundMs = boundMs
  }

  /** Names what must happen at the end; steps run in reverse order of registration. */
  onShutdown(name: string, close: Step['close']): void {
    this.#steps.push({ name, close })
  }

  /** Runs every step once; a failing step is logged and does not keep the others from running. */
  run(): Promise<void> {
    this.#running ??= this.#closeAll()
    return this.#running
  }

  async #closeAll(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      try {
        await step.close()
      } catch (err) {
        this.#log.error({ err, step: step.name }, 'shutdown step failed')
      }
    }
  }

  /** Whether the end has begun, so that what fails now fails because of it. */
  get begun(): boolean {
    return this.#running !== undefined
  }

  /** Ends the process on SIGTERM, on SIGINT, or when the parent that started it is gone; a second signal ends it at once. */
  listen(): void {
    const begin = (reason: string): void => {
      if (this.begun) return
      this.#log.info({ signal: reason }, 'shutting down')
      setTimeout(() => process.exit(1), reason === parentGone ? Math.min(this.#boundMs, orphanBoundMs) : this.#boundMs).unref()
      void this.run().then(() => process.exit(0))
    }
    const onSignal = (signal: string): void => {
      if (this.begun) process.exit(1)
      begin(signal)
    }
    process.on('SIGTERM', onSignal)
    // A channel to the parent was there when the process began, whether the parent still is or not.
    const supervised = process.send !== undefined
    // A terminal sends Ctrl-C to all its processes; one that was started by our runner hears of it from there.
    process.on('SIGINT', supervised ? () => undefined : onSignal)
    if (!supervised) return
    process.on('disconnect', () => begin(parentGone))
    if (!process.connected) begin(parentGone) // it went while we were being loaded
  }
}
