import { expect } from 'vitest'
import { send } from '../../../src/client/index.ts'
import { pause } from '../../../src/platform/clock.ts'
import { adminKey, type Stand } from './stand.ts'
import type { Task } from './tasks.ts'
import { inDatabase } from './verdict.ts'

/** Dispatches tasks to the APIs of a stand in turn, and notes what was accepted and every status that was answered. */
export class Load {
  readonly #stand: Stand
  /** How often each status was answered; `none` where there was no answer. */
  readonly statuses = new Map<string, number>()
  #turn = 0

  constructor(stand: Stand) {
    this.#stand = stand
  }

  /** Dispatches a task until it is accepted, always under the same key. */
  async dispatch(task: Task): Promise<void> {
    while (!(await this.tryOnce(task))) await pause(100)
  }

  /** Dispatches many tasks, some at once. */
  async dispatchAll(tasks: readonly Task[], atOnce = 8): Promise<void> {
    const rest = [...tasks]
    const take = async (): Promise<void> => {
      for (let task = rest.shift(); task; task = rest.shift()) await this.dispatch(task)
    }
    await Promise.all(Array.from({ length: atOnce }, take))
  }

  /** Asks one API once; answers whether the task was accepted. */
  async tryOnce({ name, query }: Task): Promise<boolean> {
    const { apis, ledger } = this.#stand
    const api = apis[(this.#turn += 1) % apis.length]
    const to = { baseUrl: api?.url ?? '', apiKey: adminKey }
    const status = await send(to, 'sirp.query.dispatch', { body: { query }, headers: { 'Idempotency-Key': name, 'Connection': 'close' } })
      .then(async (response) => {
        const answer = (await response.json()) as { id: string } // of a dispatch, or a problem
        if (response.ok) ledger.note(name, answer.id)
        return response.status === 503 && !response.headers.has('retry-after') ? '503 without Retry-After' : String(response.status)
      })
      .catch(() => 'none')
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    return status.startsWith('2')
  }

  /** Statuses that no fault excuses: all but those that accept, and 503, which asks to come again. */
  get unexpected(): string[] {
    return [...this.statuses.keys()].filter((status) => !['202', '503', 'none'].includes(status)).toSorted()
  }
}

/** Waits until no query waits or runs. */
export async function comeToRest({ databaseUrl }: Pick<Stand, 'databaseUrl'>, boundMs = 60_000): Promise<void> {
  const live = () => inDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ live: string }>("SELECT count(*)::text AS live FROM queries WHERE status IN ('queued', 'running')")
    return Number(rows[0]?.live)
  })
  await expect.poll(() => live().catch(() => Number.NaN), { timeout: boundMs, interval: 200 }).toBe(0)
}
