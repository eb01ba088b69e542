import { Agent, type ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../src/platform/errors.ts'
import type { Route } from '../../src/platform/egress/routes.ts'
import { randomText } from '../../src/platform/ids.ts'
import { dialFirst, type DialRules } from './dial.ts'

/** A connection that was asked for, and why it was not made. */
export interface Refusal {
  readonly host: string
  readonly port: number
  readonly problem: Problem
}

/** How the connections of a job are made. */
export interface Way {
  /** The routes to the host of an address, tried in this order; straight where none are given. */
  readonly routes?: ((url: string) => Promise<readonly Route[]>) | undefined
  /** No connection at all. */
  readonly offline?: boolean | undefined
}

/** How many refusals of one job are kept. */
const mostRefusals = 100

/** The way out of one browser context: makes its connections, counts them, and remembers which ones were refused. */
export class Passage {
  readonly token = randomText(16)
  /** Keeps connections for plain HTTP open between requests of the same context. */
  readonly agent: Agent
  readonly counts = { connections: 0, requests: 0, refused: 0, failed: 0 }
  readonly #rules: DialRules
  readonly #refusals: Refusal[] = []
  readonly #sockets = new Set<Duplex>()
  #ended = false
  #way: Way = {}

  constructor(rules: DialRules) {
    this.#rules = rules
    this.agent = agentThat((host, port) => this.dial('http', host, port))
  }

  /** Says how the connections of the coming job are made. */
  follow(way: Way): void {
    this.#way = way
  }

  /** Connections that were not made, oldest first: refused ones are `target_forbidden`, failed ones `target_failed` or `target_timeout`. */
  refusals(): readonly Refusal[] {
    return this.#refusals
  }

  /** Why the host of this address could not be reached; undefined where nothing is known against it. */
  problemOf(url: string): Problem | undefined {
    if (!URL.canParse(url)) return undefined
    const { host, port } = placeOf(url)
    return this.#refusals.findLast((refusal) => refusal.host === host && refusal.port === port)?.problem
  }

  /** Asks whether the host of an address may be reached at all, for a browser that did not try: a refusal is known then as if it had. */
  async judge(url: string): Promise<void> {
    if (!URL.canParse(url)) return
    const { host, port } = placeOf(url)
    await this.#rules.guard.admit(host, port).catch((error: unknown) => this.#remember(host, port, error))
  }

  /** Connects to a host, if it may be reached. */
  async dial(scheme: 'http' | 'https', host: string, port: number): Promise<Duplex> {
    try {
      const socket = await this.#connect(scheme, host, port)
      this.track(socket)
      this.counts.connections += 1
      return socket
    } catch (error) {
      throw this.#remember(host, port, error)
    }
  }

  /** Ends a socket together with this passage. */
  track(socket: Duplex): void {
    if (this.#ended) return void socket.destroy()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  /** Ends every connection, and makes no more. */
  end(): void {
    this.#ended = true
    for (const socket of this.#sockets) socket.destroy()
    this.agent.destroy()
  }

  async #connect(scheme: string, host: string, port: number): Promise<Duplex> {
    const { routes, offline } = this.#way
    if (offline) throw new Problem('target_forbidden', 'This job has no network.')
    await this.#rules.onConnect?.(this.token, host, port)
    const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/`
    const socket = await dialFirst(this.#rules, (await routes?.(url)) ?? ['direct'], host, port)
    if (this.#ended) {
      socket.destroy()
      throw new Problem('target_failed', 'The job has ended.')
    }
    return socket
  }

  #remember(host: string, port: number, error: unknown): Problem {
    const problem = error instanceof Problem ? error : new Problem('target_failed', `${host}:${port} cannot be reached.`, { cause: error })
    this.counts[problem.code === 'target_forbidden' ? 'refused' : 'failed'] += 1
    if (this.#refusals.length < mostRefusals) this.#refusals.push({ host, port, problem })
    return problem
  }
}

/** The host and port that an address leads to. */
function placeOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url)
  return { host: bareHost(hostname), port: Number(port) || (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) }
}

/** A host without the brackets that an IPv6 address has in a URL. */
export const bareHost = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** An agent whose connections are made by `dial`. */
function agentThat(dial: (host: string, port: number) => Promise<Duplex>): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  agent.createConnection = (options: ClientRequestArgs, done) => {
    const fail = (error: Error): void => done?.(error, undefined as never) // there is no socket with an error
    dial(options.host ?? '', Number(options.port)).then((socket) => done?.(null, socket), fail)
    return undefined
  }
  return agent
}
