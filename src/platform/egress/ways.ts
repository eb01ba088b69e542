import type { Dispatcher } from 'undici'
import { openDialer, type DialerOptions } from './dialer.ts'
import type { EgressGuard } from './guard.ts'
import { PacFiles } from './pac.ts'
import { Recent } from './recent.ts'
import { parsePacAnswer, parseProxy, type Route } from './routes.ts'

const mostProxies = 50

/** The pools of connections: straight ones, and those of the proxies used of late. */
export class Ways {
  readonly #guard: EgressGuard
  readonly #options: DialerOptions
  readonly #pacFiles: PacFiles
  readonly #proxied = new Recent<Dispatcher>(mostProxies, (dispatcher) => void dispatcher.close().catch(() => undefined))
  readonly #verified: Dispatcher
  #unverified: Dispatcher | null = null

  constructor(guard: EgressGuard, options: DialerOptions) {
    this.#guard = guard
    this.#options = options
    this.#verified = openDialer(guard, options)
    this.#pacFiles = new PacFiles(guard, this.#verified)
  }

  /** Connections straight to the targets. */
  straight(verifyTls: boolean): Dispatcher {
    if (verifyTls) return this.#verified
    this.#unverified ??= openDialer(this.#guard, { ...this.#options, verifyTls })
    return this.#unverified
  }

  /** Finds the way that a proxy means for this address. Its pool is taken right before it is used: by then another may have its place. */
  async through(proxy: string, url: URL, verifyTls: boolean, signal: AbortSignal): Promise<() => Dispatcher> {
    const upstream = parseProxy(proxy)
    if ('routes' in upstream) return () => this.#pool(proxy, upstream.routes, verifyTls)
    const answer = await this.#pacFiles.ask(upstream.pac, url, signal)
    const routes = parsePacAnswer(answer)
    return routes.length === 1 && routes[0] === 'direct' ? () => this.straight(verifyTls) : () => this.#pool(`pac ${answer}`, routes, verifyTls)
  }

  #pool(name: string, routes: readonly Route[], verifyTls: boolean): Dispatcher {
    return this.#proxied.get(`${verifyTls} ${name}`, () => openDialer(this.#guard, { ...this.#options, verifyTls, routes }))
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const all = [this.#verified, this.#unverified, ...this.#proxied.clear()]
    await Promise.all([this.#pacFiles.close(), ...all.map((dispatcher) => dispatcher?.destroy())])
  }
}
