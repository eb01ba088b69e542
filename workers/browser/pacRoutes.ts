import type { Dispatcher } from 'undici'
import { openDialer } from '../../src/platform/egress/dialer.ts'
import type { EgressGuard } from '../../src/platform/egress/guard.ts'
import { PacFiles } from '../../src/platform/egress/pac.ts'
import { parsePacAnswer, type Route } from '../../src/platform/egress/routes.ts'

/** Asks PAC files for the ways of pages; opened by the first job that names one. */
export class PacRoutes {
  readonly #guard: EgressGuard
  #opened: { readonly dispatcher: Dispatcher; readonly files: PacFiles } | undefined

  constructor(guard: EgressGuard) {
    this.#guard = guard
  }

  /** The ways to the host of an address, by the PAC file at another. */
  async ask(pac: string, url: string, signal: AbortSignal): Promise<readonly Route[]> {
    this.#opened ??= this.#open()
    return parsePacAnswer(await this.#opened.files.ask(pac, new URL(url), signal))
  }

  /** Ends what asking needs. */
  async close(): Promise<void> {
    await Promise.all([this.#opened?.files.close(), this.#opened?.dispatcher.destroy()])
  }

  #open(): { readonly dispatcher: Dispatcher; readonly files: PacFiles } {
    const dispatcher = openDialer(this.#guard)
    return { dispatcher, files: new PacFiles(this.#guard, dispatcher) }
  }
}
