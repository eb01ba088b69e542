import { hostname } from 'node:os'
import { hosting, serviceNames, type ProcessType, type ServiceName } from '../../contract/services.ts'
import { randomText } from '../../platform/ids.ts'
import { version } from '../../platform/version.ts'
import type { House } from '../house.ts'
import { rebuildParts } from './components.ts'
import { dropMetrics, metersOf, publishMetrics } from './meters.ts'
import { forgetFacts, tellFacts, type ProcessFacts } from './processes.ts'

const beatMs = 1_000
/** Metrics are larger than facts, and nobody reads them every second. */
const metricsEveryBeats = 5
const goodbyeMs = 1_000

/** What a process says of its work. */
export interface PulseSource {
  readonly type: ProcessType
  readonly concurrency: number
  /** Jobs, or requests, that it holds now. */
  readonly running: () => number
  /** What a job has taken lately. */
  readonly jobMs?: () => number | null
}

/** The heartbeat of a process: it tells all others that it lives and how busy it is, and hears from them what to build anew. */
export class Pulse {
  readonly id: string
  readonly #house: House
  readonly #source: PulseSource
  readonly #startedAt: string
  readonly #services: readonly ServiceName[]
  readonly #timer: NodeJS.Timeout
  #done: Record<string, number> | undefined
  #beats = 0
  #beating = false
  #restarting = false
  #closed = false

  constructor(house: House, source: PulseSource) {
    this.#house = house
    this.#source = source
    this.id = `${source.type}-${hostname()}-${process.pid}-${randomText(4)}`
    metersOf(house).belongTo(this.id, source.type)
    this.#startedAt = new Date(house.clock()).toISOString()
    this.#services = serviceNames.filter((service) => hosting[service].hosts.includes(source.type))
    this.#timer = setInterval(() => void this.#tick(), beatMs).unref()
    if (house.redis.status === 'ready') void this.#tick()
    else house.redis.once('ready', () => void this.#tick())
  }

  /** Ends the heartbeat; the process is off the list at once. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    if (this.#house.redis.status !== 'ready') return
    const gone = Promise.all([forgetFacts(this.#house, this.id), dropMetrics(this.#house, this.id)]).catch(() => undefined)
    await Promise.race([gone, new Promise((done) => setTimeout(done, goodbyeMs).unref())])
  }

  /** One beat at a time: with Redis away the first would wait for it, and the others behind it. */
  async #tick(): Promise<void> {
    if (this.#beating || this.#closed || this.#house.redis.status !== 'ready') return
    this.#beating = true
    try {
      const asked = await tellFacts(this.#house, this.#facts())
      if (this.#beats % metricsEveryBeats === 0) await publishMetrics(this.#house, this.id)
      this.#beats += 1
      this.#hear(asked)
    } catch (err) {
      this.#house.log.debug({ err }, 'a heartbeat was not heard')
    } finally {
      this.#beating = false
    }
  }

  #facts(): ProcessFacts {
    const { type, concurrency, running, jobMs } = this.#source
    return {
      id: this.id,
      type,
      host: hostname(),
      pid: process.pid,
      version,
      startedAt: this.#startedAt,
      heartbeatAt: new Date(this.#house.clock()).toISOString(),
      concurrency,
      running: running(),
      jobMs: jobMs?.() ?? null,
      restarting: this.#restarting,
      restarts: this.#done ?? {},
    }
  }

  /** A new process has nothing to restart, and a Redis that was emptied counts from the beginning. */
  #hear(asked: Record<string, number>): void {
    this.#done ??= asked
    if (this.#restarting) return
    const done = this.#done
    const due = this.#services.filter((service) => (asked[service] ?? 0) > (done[service] ?? 0))
    this.#done = { ...asked, ...Object.fromEntries(due.map((service) => [service, done[service] ?? 0])) }
    if (due.length > 0) void this.#restart(due, asked)
  }

  async #restart(due: readonly ServiceName[], asked: Record<string, number>): Promise<void> {
    const { log } = this.#house
    this.#restarting = true
    for (const service of due) log.info({ service }, 'restarting')
    try {
      await rebuildParts(this.#house, due)
      this.#done = { ...this.#done, ...Object.fromEntries(due.map((service) => [service, asked[service] ?? 0])) }
      for (const service of due) log.info({ service }, 'restarted')
    } catch (err) {
      log.error({ err }, 'a restart failed, and is tried again')
    } finally {
      this.#restarting = false
    }
    await this.#tick()
  }
}

/** Starts the heartbeat of a process; it ends with the house's shutdown. */
export function startPulse(house: House, source: PulseSource, shutdown: { onShutdown(name: string, close: () => Promise<void>): void }): Pulse {
  const pulse = new Pulse(house, source)
  shutdown.onShutdown('heartbeat', () => pulse.close())
  return pulse
}
