import { describe, expect, test } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand } from './harness/stand.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge, statesOf } from './harness/verdict.ts'

const rounds = 5

describe('kill -9 of an API under dispatches', () => {
  test('loses nothing that was accepted, and a repeat under the same Idempotency-Key starts nothing twice', { timeout: 180_000 }, async () => {
    const stand = await openStand({ workers: 2 })
    const load = new Load(stand)
    const tasks = mixedTasks(200, stand.site.origin)
    const dispatching = load.dispatchAll(tasks, 12)
    const [api] = stand.apis
    for (let round = 0; round < rounds; round += 1) {
      const before = stand.ledger.read().size
      // The kill comes at another moment of some dispatch each time.
      while (stand.ledger.read().size < Math.min(before + 10 + round, tasks.length)) await pause(1 + round)
      await api?.kill()
      await api?.start()
    }
    await dispatching
    await load.dispatchAll(tasks, 12)
    await comeToRest(stand)
    expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [], repeats: 0 })
    expect(stand.ledger.read().size).toBe(tasks.length)
    expect(load.unexpected).toEqual([])
    expect(load.statuses.get('none') ?? 0).toBeGreaterThan(0)
    // One query a task, and the one that read the cellar file for the verdict.
    expect(await statesOf(stand.databaseUrl)).toHaveLength(tasks.length + 1)
  })
})
