import { availableParallelism, totalmem } from 'node:os'
import type { Env } from '../../src/platform/env.ts'
import type { Logger } from '../../src/platform/logger.ts'
import { CpuPressure, readFreeBytes } from './machine.ts'

/** What a machine is short of. */
export type Shortage = 'memory' | 'cpu'

/** How many jobs a process takes at once for now, and what keeps it from taking more. */
export interface Admitted {
  readonly room: number
  readonly short: Shortage | null
}

/** How a machine is. */
export interface MachineFacts {
  readonly freeBytes: number
  /** Share of the time in which work waits for a processor, in percent. */
  readonly cpuPressure: number
}

/** Between which bounds a process takes jobs. */
export interface AdmissionBounds {
  /** Jobs at once when nothing is short. */
  readonly most: number
  /** Jobs at once when processors are short: as many as there are processors are never too many. */
  readonly cores: number
  readonly leastFreeBytes: number
  readonly mostCpuPressure: number
}

const lookEveryMs = 1_000
const usualReserve = 512 * 2 ** 20

/** The next number of jobs at once: one where memory is short, one less where processors are, and else one more. */
export function admit(room: number, { freeBytes, cpuPressure }: MachineFacts, bounds: AdmissionBounds): Admitted {
  const more = (most: number): number => Math.min(most, room + 1)
  if (freeBytes < bounds.leastFreeBytes) return { room: 1, short: 'memory' }
  if (bounds.mostCpuPressure >= 100 || cpuPressure < bounds.mostCpuPressure) return { room: more(bounds.most), short: null }
  const least = Math.min(bounds.cores, bounds.most)
  return { room: room > least ? room - 1 : more(least), short: 'cpu' }
}

/** The bounds that the settings give. */
export const boundsOf = ({ browserConcurrency, browserReserveMemory, browserCpuPressure }: Env): AdmissionBounds => ({
  most: browserConcurrency,
  cores: availableParallelism(),
  leastFreeBytes: browserReserveMemory ?? Math.min(usualReserve, (process.constrainedMemory() || totalmem()) / 10, totalmem() / 10),
  mostCpuPressure: browserCpuPressure,
})

/** Looks at the machine each second, and lets a process take as many jobs as it can bear. */
export class Admission {
  readonly #bounds: AdmissionBounds
  readonly #limit: (room: number) => void
  readonly #log: Logger
  readonly #pressure = new CpuPressure()
  readonly #timer: NodeJS.Timeout
  #admitted: Admitted

  private constructor(bounds: AdmissionBounds, limit: (room: number) => void, log: Logger) {
    this.#bounds = bounds
    this.#limit = limit
    this.#log = log
    this.#admitted = { room: bounds.most, short: null }
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref()
  }

  /** Begins with a first look; `limit` hears how many jobs may run at once. */
  static async start(bounds: AdmissionBounds, limit: (room: number) => void, log: Logger): Promise<Admission> {
    const admission = new Admission(bounds, limit, log)
    await admission.#look()
    return admission
  }

  /** What holds now. */
  get admitted(): Admitted {
    return this.#admitted
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const [freeBytes, cpuPressure] = await Promise.all([readFreeBytes(), this.#pressure.read()])
    const [before, now] = [this.#admitted, admit(this.#admitted.room, { freeBytes, cpuPressure }, this.#bounds)]
    this.#admitted = now
    this.#limit(now.room)
    if (now.short === 'memory' && before.short !== 'memory') this.#log.warn({ bytes: freeBytes }, 'memory is short, so that one job at a time is taken')
  }
}
