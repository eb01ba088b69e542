import type { Logger } from '../platform/logger.ts'
import { namesCovering, type Limits } from './cover.ts'

/** A policy as the limiter needs it. */
export interface DomainPolicy {
  readonly domain: string
  readonly limits: Limits
}

/** Where the policies come from. */
export interface PolicySource {
  loadPolicies(): Promise<readonly DomainPolicy[]>
  /** Text that is another one after every change of a policy. */
  policiesVersion(): Promise<string>
}

/** Every policy in memory, so that a dispatch costs no look into the database. */
export class PolicyBook {
  readonly #source: PolicySource
  readonly #fallback: Limits
  readonly #log: Logger
  #byDomain: ReadonlyMap<string, Limits> | undefined
  #version: string | undefined
  #refreshing: Promise<void> | undefined

  constructor(source: PolicySource, fallback: Limits, log: Logger) {
    this.#source = source
    this.#fallback = fallback
    this.#log = log
  }

  /** The nearest policy that covers a host, or the default for the host by itself; null while the policies are not known. */
  async find(host: string): Promise<DomainPolicy | null> {
    if (!this.#byDomain) await this.refresh()
    return this.#byDomain ? this.cover(host) : null
  }

  /** Whether the policies are in memory. */
  get isKnown(): boolean {
    return this.#byDomain !== undefined
  }

  /** The same from what is in memory. */
  cover(host: string): DomainPolicy {
    for (const domain of namesCovering(host)) {
      const limits = this.#byDomain?.get(domain)
      if (limits) return { domain, limits }
    }
    return { domain: host, limits: this.#fallback }
  }

  /** Loads the policies where they have changed; with a database that is away those in memory stay in force. */
  async refresh(): Promise<void> {
    // A refresh that is under way may have read before the change that this one is about.
    await this.#refreshing
    this.#refreshing ??= this.#reload().finally(() => (this.#refreshing = undefined))
    await this.#refreshing
  }

  async #reload(): Promise<void> {
    try {
      const version = await this.#source.policiesVersion()
      if (version === this.#version && this.#byDomain) return
      const policies = await this.#source.loadPolicies()
      this.#byDomain = new Map(policies.map(({ domain, limits }) => [domain, limits]))
      this.#version = version
    } catch (err) {
      this.#log.debug({ err }, 'the policies cannot be read')
    }
  }
}
