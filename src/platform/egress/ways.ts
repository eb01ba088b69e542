import type { Dispatcher } from 'undici'
import { openDialer, type DialerOptions } from './dialer.ts'
import type { EgressGuard } from './guard.ts'
import { PacFiles } from './pac.ts'
import { Recent } from './recent.ts'
import { parsePacAnswer, parseProxy, type Route } from './routes.ts'

const mostProxies = 50

/** How a request wants its connection. */
export interface Manner {
  readonly verifyTls: boolean
  /** Whether it may be one that was kept, and is kept afterwards. */
  readonly isKept: boolean
}

/** The pools of connections: straight ones, and those of the proxies used of late. */
export class Ways {
  readonly #guard: EgressGuard
  readonly #options: DialerOptions
  readonly #pacFiles: PacFiles
  readonly #proxied = new Recent<Dispatcher>(mostProxies, (dispatcher) => void dispatcher.close().catch(() => undefined))
  readonly #verified: Dispatcher
  /** The straight ones that are seldom needed. */
  readonly #others = new Map<string, Dispatcher>()

  constructor(guard: EgressGuard, options: DialerOptions) {
    this.#guard = guard
    this.#options = options
    this.#verified = openDialer(guard, options)
    this.#pacFiles = new PacFiles(guard, this.#verified)
  }

  /** Connections straight to the targets. */
  straight(manner: Manner): Dispatcher {
    if (manner.verifyTls && manner.isKept) return this.#verified
    const name = nameOf(manner)
    const dispatcher = this.#others.get(name) ?? openDialer(this.#guard, { ...this.#options, ...manner })
    this.#others.set(name, dispatcher)
    return dispatcher
  }

  /** Finds the way that a proxy means for this address. Its pool is taken right before it is used: by then another may have its place. */
  async through(proxy: string, url: URL, manner: Manner, signal: AbortSignal): Promise<() => Dispatcher> {
    const upstream = parseProxy(proxy)
    if ('routes' in upstream) return () => this.#pool(proxy, upstream.routes, manner)
    const answer = await this.#pacFiles.ask(upstream.pac, url, signal)
    const routes = parsePacAnswer(answer)
    return routes.length === 1 && routes[0] === 'direct' ? () => this.straight(manner) : () => this.#pool(`pac ${answer}`, routes, manner)
  }

  #pool(name: string, routes: readonly Route[], manner: Manner): Dispatcher {
    return this.#proxied.get(`${nameOf(manner)} ${name}`, () => openDialer(this.#guard, { ...this.#options, ...manner, routes }))
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const all = [this.#verified, ...this.#others.values(), ...this.#proxied.clear()]
    await Promise.all([this.#pacFiles.close(), ...all.map((dispatcher) => dispatcher.destroy())])
  }
}

const nameOf = ({ verifyTls, isKept }: Manner): string => `${verifyTls} ${isKept}`
