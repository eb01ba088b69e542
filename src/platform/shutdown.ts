import type { Logger } from './logger.ts'

interface Step {
  readonly name: string
  readonly close: () => Promise<unknown> | void
}

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

  /** Ends the process on SIGTERM, SIGINT, or when the parent that started it is gone; a second signal ends it at once. */
  listen(): void {
    let signals = 0
    const end = (signal: string): void => {
      signals += 1
      if (signals > 1) process.exit(1)
      this.#log.info({ signal }, 'shutting down')
      setTimeout(() => process.exit(1), this.#boundMs).unref()
      void this.run().then(() => process.exit(0))
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
    if (process.connected) process.on('disconnect', () => end('parent gone'))
  }
}
