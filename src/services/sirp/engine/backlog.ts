import { Problem } from '../../../platform/errors.ts'
import type { House } from '../../house.ts'

/** How long a count may be believed; dispatches of this process meanwhile are added to it. */
const freshMs = 500
/** How long one may be believed that leaves room, while the next is made: counting takes time where much is queued. */
const staleMs = 2_000

/** What is counted: its name in the plural, and its table. */
interface Counted {
  readonly noun: string
  readonly table: 'queries' | 'browser_jobs'
}

/** Counts work that has not ended, so that no more is taken on than can be worked off in good time. */
class Backlog {
  readonly #house: House
  readonly #counted: Counted
  #perKey = new Map<string, number>()
  #total = 0
  #countedAt = 0
  #counting: Promise<void> | undefined

  constructor(house: House, counted: Counted) {
    this.#house = house
    this.#counted = counted
  }

  /** Takes on one more of a key, or refuses it quickly. */
  async admit(keyId: string): Promise<void> {
    const ageMs = performance.now() - this.#countedAt
    if (ageMs > freshMs) {
      const counted = this.#countAgain()
      if (ageMs > staleMs || this.#refusal(keyId)) await counted
    }
    const refusal = this.#refusal(keyId)
    if (refusal) throw refusal
    this.#total += 1
    this.#perKey.set(keyId, (this.#perKey.get(keyId) ?? 0) + 1)
  }

  /** Why no more is taken on, where that is so. */
  #refusal(keyId: string): Problem | undefined {
    const { maxQueued, maxQueuedPerKey } = this.#house.env
    const ofKey = this.#perKey.get(keyId) ?? 0
    const { noun } = this.#counted
    if (this.#total >= maxQueued) return new Problem('overloaded', `${this.#total} ${noun} wait or run already; try again when some have ended.`, { retryAfterS: 2 })
    if (ofKey >= maxQueuedPerKey) return new Problem('too_many_requests', `This key has ${ofKey} ${noun} that have not ended; wait for some of them.`, { retryAfterS: 2 })
    return undefined
  }

  #countAgain(): Promise<void> {
    if (this.#counting) return this.#counting
    const counting = this.#count().finally(() => (this.#counting = undefined))
    counting.catch(() => undefined) // whoever waits for it hears of it
    return (this.#counting = counting)
  }

  async #count(): Promise<void> {
    const { rows } = await this.#house.pool.query<{ key: string | null; count: string }>({ name: `${this.#counted.table}-backlog`, text: countSql(this.#counted.table) })
    this.#perKey = new Map(rows.map(({ key, count }) => [key ?? '', Number(count)]))
    this.#total = rows.reduce((sum, { count }) => sum + Number(count), 0)
    this.#countedAt = performance.now()
  }
}

const countSql = (table: string): string => `SELECT api_key_id AS key, count(*) FROM ${table} WHERE status IN ('queued', 'running') GROUP BY api_key_id`

const opened = { queries: new WeakMap<House, Backlog>(), browser_jobs: new WeakMap<House, Backlog>() }

function countOf(house: House, counted: Counted): Pick<Backlog, 'admit'> {
  const backlogs = opened[counted.table]
  const known = backlogs.get(house)
  if (known) return known
  const backlog = new Backlog(house, counted)
  backlogs.set(house, backlog)
  return backlog
}

/** The count of queries in this process. */
export const backlogOf = (house: House): Pick<Backlog, 'admit'> => countOf(house, { noun: 'queries', table: 'queries' })

/** The count of browser jobs in this process. */
export const browserBacklogOf = (house: House): Pick<Backlog, 'admit'> => countOf(house, { noun: 'browser jobs', table: 'browser_jobs' })
