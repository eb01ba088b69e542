import { describe, expect, test } from 'vitest'
import { serviceNames } from '../../src/contract/services.ts'
import { pause } from '../../src/platform/clock.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand } from './harness/stand.ts'
import { mixedTasks, type Task } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

const headers = { Prefer: 'wait=40' }

describe('every restart, one after the other, under load', () => {
  test('loses and doubles nothing, and answers only 202, and 503 with Retry-After', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 2, workers: 2, almanac: true })
    const load = new Load(stand)
    const tasks = mixedTasks(600, stand.site.origin)
    let over = false
    const dispatching = dispatchUntil(load, tasks, () => over)

    for (const type of serviceNames) {
      expect(await stand.call('sirp.service.restart', { params: { type }, headers })).toMatchObject({ service: type, restarting: 0 })
    }
    for (const id of ['sirp.service.restartAll', 'krull.service.restart', 'screenshot.service.restart', 'gonogo.service.restart'] as const) {
      expect(await stand.call(id, { headers })).toMatchObject({ restarting: 0 })
    }
    over = true
    await dispatching
    await comeToRest(stand)
    const verdict = await judge(stand, tasks)
    expect(verdict, complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [], repeats: 0 })
    expect(load.unexpected).toEqual([])
    expect([...load.statuses.keys()]).not.toContain('none')
    expect(load.statuses.get('202')).toBeGreaterThan(20)
    expect(stand.places.filter(({ hasEnded }) => hasEnded)).toEqual([])
  })
})

/** Dispatches tasks at a steady rate from several clients until it is told to stop. */
async function dispatchUntil(load: Load, tasks: readonly Task[], stop: () => boolean): Promise<void> {
  const rest = [...tasks]
  const take = async (): Promise<void> => {
    for (let task = rest.shift(); task && !stop(); task = rest.shift()) {
      await load.dispatch(task)
      await pause(150)
    }
  }
  await Promise.all([take(), take(), take(), take()])
}
