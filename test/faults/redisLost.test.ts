import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand, type Stand } from './harness/stand.ts'
import { strength } from './harness/strength.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

/** How soon work goes on when Redis is back. */
const resumeMs = 10_000
const allRight = { lost: [], wrong: [], misfrozen: [], unasked: [] }

describe('a Redis that is lost', () => {
  test('costs no query and doubles no row when it is killed for a moment and for long, or emptied', { timeout: 180_000 }, async () => {
    const stand = await openStand({ workers: 2 })
    const load = new Load(stand)
    const tasks = mixedTasks(120, stand.site.origin)
    const parts = [tasks.slice(0, 40), tasks.slice(40, 80), tasks.slice(80)] as const

    for (const [downMs, part] of [[2_000, parts[0]], [strength(10_000, 30_000), parts[1]]] as const) {
      await load.dispatchAll(part.slice(0, 20))
      await stand.redis.kill()
      const rest = load.dispatchAll(part.slice(20))
      await pause(downMs)
      await stand.restartRedis()
      expect(await resumedAfter(stand)).toBeLessThan(resumeMs)
      await rest
    }
    await load.dispatchAll(parts[2])
    await emptied(stand)
    expect(await resumedAfter(stand)).toBeLessThan(resumeMs)

    await comeToRest(stand)
    expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject(allRight)
    expect(stand.ledger.read().size).toBe(tasks.length)
    expect(load.unexpected).toEqual([])
    expect(stand.places.filter((place) => place.hasEnded)).toEqual([])
  })
})

async function emptied({ redis }: Stand): Promise<void> {
  const client = new Redis(redis.url)
  await client.flushall()
  client.disconnect()
}

/** Milliseconds until a new query is accepted and completed. */
async function resumedAfter({ call }: Stand): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const query = `range ${Math.ceil(startedAt)} ${Math.ceil(startedAt) + 2}`
    const ended = await call('sirp.query.dispatchWait', { body: { query }, headers: { Prefer: 'wait=60' } }).catch(() => undefined)
    if (ended?.status === 'completed') return performance.now() - startedAt
    await pause(100)
  }
}
