import { describe, expect, test } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import type { TcpProxy } from '../support/tcpProxy.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand } from './harness/stand.ts'
import { strength } from './harness/strength.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

/** No process died, so that no effect may be repeated either. */
const nothingTwice = { lost: [], wrong: [], misfrozen: [], unasked: [], repeats: 0 }

describe('a connection to Redis that fails', () => {
  test('between a request and its answer makes one job an id, and doubles nothing', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 2, proxied: true })
    const load = new Load(stand)
    const tasks = mixedTasks(120, stand.site.origin)
    const dispatching = load.dispatchAll(tasks, 4)
    for (let turn = 0; turn < 10; turn += 1) {
      await pause(400)
      await cutOnce(stand.proxy)
    }
    await dispatching
    await comeToRest(stand)
    expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject(nothingTwice)
    expect(load.unexpected).toEqual([])
  })

  test('half open for long is left for a new one, and the same processes go on', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 2, proxied: true })
    const load = new Load(stand)
    const tasks = mixedTasks(48, stand.site.origin)
    await load.dispatchAll(tasks.slice(0, 24))
    stand.proxy?.setMood('swallow')
    const rest = load.dispatchAll(tasks.slice(24))
    await pause(strength(20_000, 60_000))
    stand.proxy?.setMood('open')
    const openAt = performance.now()
    await rest
    await comeToRest(stand)
    expect(performance.now() - openAt).toBeLessThan(30_000)
    expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject(nothingTwice)
    expect(stand.places.filter((place) => place.hasEnded)).toEqual([])
  })
})

/** For a moment every answer of Redis is replaced by a reset. */
async function cutOnce(proxy: TcpProxy | undefined): Promise<void> {
  proxy?.setMood('cut')
  await pause(100)
  proxy?.setMood('open')
}
