import { describe, expect, test } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { comeToRest, Load } from './harness/load.ts'
import type { Place } from './harness/place.ts'
import { complaintsOf, openStand, type Stand } from './harness/stand.ts'
import { strength } from './harness/strength.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

const blockedMs = strength(12_000, 20_000)

/** Makes a process block its event loop when it gets SIGUSR2. */
const blocker = `process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${blockedMs}))`

describe('a worker that stands still longer than its leases', () => {
  test('because it is stopped writes nothing stale when it goes on', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 2 })
    await standStill(stand, async (worker) => {
      worker.process.signal('SIGSTOP')
      await pause(strength(20_000, 30_000))
      worker.process.signal('SIGCONT')
    })
  })

  test('because its event loop is blocked writes nothing stale when it goes on', { timeout: 180_000 }, async () => {
    const preload = `--import=data:text/javascript,${encodeURIComponent(blocker)}`
    const stand = await openStand({ apis: 1, workers: 2, settings: { NODE_OPTIONS: preload } })
    await standStill(stand, async (worker) => {
      worker.process.signal('SIGUSR2')
      await pause(blockedMs)
    })
  })
})

/** Puts load on a stand while one of its workers stands still, and judges what became of it. */
async function standStill(stand: Stand, still: (worker: Place) => Promise<void>): Promise<void> {
  const load = new Load(stand)
  const tasks = mixedTasks(80, stand.site.origin)
  const [worker] = stand.workers
  if (!worker) throw new Error('the stand has no worker')
  const dispatching = load.dispatchAll(tasks)
  // Some are under way now, so that the worker holds leases.
  await expect.poll(() => stand.site.hits.size, { timeout: 20_000 }).toBeGreaterThan(4)
  await still(worker)
  await dispatching
  await comeToRest(stand)
  const verdict = await judge(stand, tasks)
  expect(verdict, complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [] })
  expect(verdict.mostHits).toBeLessThanOrEqual(2)
  expect(load.unexpected).toEqual([])
  expect(stand.places.filter((place) => place.hasEnded)).toEqual([])
}
