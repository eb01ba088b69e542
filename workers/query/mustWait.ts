import type { WaitingFor } from '../../src/services/sirp/engine/delays.ts'

/** The policy of a domain lets no request through now: the row goes back into line, and holds nothing while it waits. */
export class MustWait extends Error {
  override readonly name = 'MustWait'
  readonly domain: string
  readonly waitMs: number
  readonly since: string
  readonly position: number | undefined
  readonly #nextAtMs: number

  /** It looks again after `waitMs`, which may be before its turn is expected. */
  constructor(domain: string, waitMs: number, since: string, position?: number, nextAtMs: number | null = null) {
    super(`waits for ${domain}`)
    this.domain = domain
    this.waitMs = waitMs
    this.since = since
    this.position = position
    this.#nextAtMs = nextAtMs ?? Date.now() + waitMs
  }

  /** As the status of the query shows it. */
  shown(): WaitingFor {
    const nextAt = new Date(this.#nextAtMs).toISOString()
    return { domain: this.domain, since: this.since, nextAt, ...(this.position === undefined ? {} : { position: this.position }) }
  }
}
