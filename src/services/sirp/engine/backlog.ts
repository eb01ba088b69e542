import { Problem } from '../../../platform/errors.ts'
import type { House } from '../../house.ts'

/** How long a count may be believed; dispatches of this process meanwhile are added to it. */
const freshMs = 500

/** Counts the queries that have not ended, so that no more are taken on than can be worked off in good time. */
class Backlog {
  readonly #house: House
  #perKey = new Map<string, number>()
  #total = 0
  #countedAt = 0
  #counting: Promise<void> | undefined

  constructor(house: House) {
    this.#house = house
  }

  /** Takes on one more query of a key, or refuses it quickly. */
  async admit(keyId: string): Promise<void> {
    if (performance.now() - this.#countedAt > freshMs) await (this.#counting ??= this.#count().finally(() => (this.#counting = undefined)))
    const { maxQueued, maxQueuedPerKey } = this.#house.env
    const ofKey = this.#perKey.get(keyId) ?? 0
    if (this.#total >= maxQueued) throw new Problem('overloaded', `${this.#total} queries wait or run already; try again when some have ended.`, { retryAfterS: 2 })
    if (ofKey >= maxQueuedPerKey) throw new Problem('too_many_requests', `This key has ${ofKey} queries that have not ended; wait for some of them.`, { retryAfterS: 2 })
    this.#total += 1
    this.#perKey.set(keyId, ofKey + 1)
  }

  async #count(): Promise<void> {
    const { rows } = await this.#house.pool.query<{ key: string | null; count: string }>({ name: 'queries-backlog', text: countSql })
    this.#perKey = new Map(rows.map(({ key, count }) => [key ?? '', Number(count)]))
    this.#total = rows.reduce((sum, { count }) => sum + Number(count), 0)
    this.#countedAt = performance.now()
  }
}

const countSql = `SELECT api_key_id AS key, count(*) FROM queries WHERE status IN ('queued', 'running') GROUP BY api_key_id`

const backlogs = new WeakMap<House, Backlog>()

/** The count of this process. */
export function backlogOf(house: House): Pick<Backlog, 'admit'> {
  const known = backlogs.get(house)
  if (known) return known
  const backlog = new Backlog(house)
  backlogs.set(house, backlog)
  return backlog
}
