import { LinkedStop } from '../../src/platform/stop.ts'
import type { House } from '../../src/services/house.ts'
import { leaseMs, renewMs } from '../../src/services/sirp/engine/bounds.ts'
import { lazily } from '../../src/services/sirp/engine/lazily.ts'
import { wakesOf } from '../../src/services/sirp/engine/wakes.ts'
import { isRunning } from '../../src/services/states.ts'

/** Why the work on a query or unit is to stop. */
export type StopReason = 'lost' | 'deadline'

/** The work was stopped from outside: its query has ended or was taken over, or is out of time. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`stopped: ${reason}`)
    this.reason = reason
  }
}

/** What is held: a query, a unit of it, or a browser job, whose id then stands in the place of the query's. */
export interface Holding {
  readonly queryId: string
  readonly fence: number
  readonly unit?: { readonly stage: number; readonly firstRow: number }
  readonly isBrowserJob?: true
}

/** Something that is held. */
export interface Lease {
  readonly signal: AbortSignal
  release(): void
}

interface Held extends Holding {
  readonly stop: LinkedStop
  renewedAt: number
}

interface Renewed {
  readonly place: number
  readonly late: boolean
}

/** How long work is kept for a database that does not answer: as long as it is away for all, nobody else can take the work over. */
const keptMs = 60_000

/** Renews the leases of everything that this process works on, in one statement a second, and stops what is no longer its own. */
export class Leases {
  readonly #house: House
  readonly #held = new Set<Held>()
  readonly #timer: NodeJS.Timeout
  #renewing = false

  constructor(house: House) {
    this.#house = house
    this.#timer = setInterval(() => void this.#renew(), renewMs)
  }

  /** Holds something from its claim on, for a job; the signal says when to stop, for the job's reasons too. */
  hold(holding: Holding, job: AbortSignal): Lease {
    const held: Held = { ...holding, stop: new LinkedStop(job), renewedAt: performance.now() }
    this.#held.add(held)
    // Without this word a cancel would reach its worker with the next renewal.
    const unlisten = wakesOf(this.#house).onStop(holding.queryId, () => void this.#renewThese([held]).catch(() => undefined))
    return {
      signal: held.stop.signal,
      release: () => {
        unlisten()
        held.stop.letGo()
        this.#held.delete(held)
      },
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #renew(): Promise<void> {
    if (this.#renewing || this.#held.size === 0) return
    this.#renewing = true
    try {
      await this.#renewThese([...this.#held])
    } catch (err) {
      this.#house.log.debug({ err }, 'leases were not renewed')
      this.#stopOverdue()
    } finally {
      this.#renewing = false
    }
  }

  async #renewThese(all: readonly Held[]): Promise<void> {
    const askedAt = performance.now()
    await Promise.all(kinds.map(async (kind) => {
      const held = all.filter(kind.holds)
      const renewed = new Map((await this.#ask(held, kind)).map((row) => [row.place, row]))
      for (const [place, one] of held.entries()) settle(one, renewed.get(place + 1), askedAt)
    }))
  }

  async #ask(held: readonly Held[], { name, text }: Kind): Promise<Renewed[]> {
    if (held.length === 0) return []
    const values = [held.map(({ queryId }) => queryId), held.map(({ fence }) => fence), held.map(({ unit }) => unit?.stage ?? 0), held.map(({ unit }) => unit?.firstRow ?? 0), leaseMs]
    const { rows } = await this.#house.pool.query<Renewed>({ name, text, values })
    return rows
  }

  /** What could not be renewed for so long belongs to another by now; before that only the database can tell. */
  #stopOverdue(): void {
    for (const held of this.#held) if (performance.now() - held.renewedAt > keptMs) held.stop.abort(new Stopped('lost'))
  }
}

function settle(held: Held, renewed: Renewed | undefined, askedAt: number): void {
  if (!renewed) held.stop.abort(new Stopped('lost'))
  else if (renewed.late) held.stop.abort(new Stopped('deadline'))
  else held.renewedAt = askedAt
}

const given = `unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[]) WITH ORDINALITY AS held(query_id, fence, stage, first_row, place)`
const facts = `held.place::integer AS place, coalesce(deadline_at < now(), false) AS late`

/** Only what is still held: its owner may have let it go a moment ago, and nobody could take it on while a lease without an owner runs. */
const querySql = `
  WITH ${lazily} UPDATE queries SET lease_until = now() + $5 * interval '1 millisecond' FROM lazy, ${given}
  WHERE queries.id = held.query_id AND queries.fence = held.fence AND queries.lease_until IS NOT NULL AND ${isRunning('queries')} RETURNING ${facts}`

const unitSql = `
  WITH ${lazily} UPDATE query_units AS unit SET lease_until = now() + $5 * interval '1 millisecond' FROM lazy, ${given} JOIN queries ON queries.id = held.query_id
  WHERE unit.query_id = held.query_id AND unit.stage = held.stage AND unit.first_row = held.first_row AND unit.fence = held.fence
    AND ${isRunning('unit')} AND ${isRunning('queries')} RETURNING ${facts}`

const browserJobSql = `
  WITH ${lazily} UPDATE browser_jobs SET lease_until = now() + $5 * interval '1 millisecond' FROM lazy, ${given}
  WHERE browser_jobs.id = held.query_id AND browser_jobs.fence = held.fence AND ${isRunning('browser_jobs')}
  RETURNING held.place::integer AS place, false AS late`

interface Kind {
  readonly name: string
  readonly text: string
  readonly holds: (held: Held) => boolean
}

const kinds: readonly Kind[] = [
  { name: 'leases-queries', text: querySql, holds: ({ unit, isBrowserJob }) => !unit && !isBrowserJob },
  { name: 'leases-units', text: unitSql, holds: ({ unit }) => unit !== undefined },
  { name: 'leases-browser-jobs', text: browserJobSql, holds: ({ isBrowserJob }) => isBrowserJob === true },
]
