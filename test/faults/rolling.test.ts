import { describe, expect, test } from 'vitest'
import { send } from '../../src/client/index.ts'
import { pause } from '../../src/platform/clock.ts'
import { comeToRest, Load } from './harness/load.ts'
import { adminKey, complaintsOf, openStand, type Stand } from './harness/stand.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

describe('SIGTERM to one process after the other, under load', () => {
  test('loses and doubles nothing, answers only 2xx and 503, and ends every process in order', { timeout: 240_000 }, async () => {
    const stand = await openStand({ workers: 2 })
    const load = new Load(stand)
    const tasks = mixedTasks(400, stand.site.origin)
    let rolled = false
    const dispatching = dispatchUntil(load, tasks, () => rolled)

    for (const place of stand.places) {
      const { code, ms } = await place.end()
      expect(code).toBe(0)
      expect(ms).toBeLessThan(30_000)
      await place.start()
    }
    rolled = true
    await dispatching
    await comeToRest(stand)
    const verdict = await judge(stand, tasks)
    expect(verdict, complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [], repeats: 0 })
    expect(load.unexpected).toEqual([])
  })

  test('answers those who wait for a query with 503, Retry-After and its id, and the query goes on', { timeout: 120_000 }, async () => {
    const stand = await openStand({ workers: 1 })
    const waiting = dispatchAndWait(stand, `api get ${stand.site.origin}/hang`)
    const held = dispatchAndWait(stand, `api get ${stand.site.origin}/hang-held`, 'sirp.query.dispatch')
    await expect.poll(() => stand.site.hanging.size, { timeout: 30_000 }).toBe(2)

    expect((await stand.apis[0]?.end())?.code).toBe(0)
    const answer = await waiting
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(answer.body).toMatchObject({ code: 'unavailable', queryStatus: 'running' })
    expect(await held).toMatchObject({ status: 202, body: { status: 'running' } })

    const other = { baseUrl: stand.apis[1]?.url ?? '', apiKey: adminKey }
    const seen = await send(other, 'sirp.query.status', { params: { id: answer.body['id'] } })
    expect(await seen.json()).toMatchObject({ status: 'running' })
  })
})

/** Dispatches tasks at a steady rate from several clients until it is told to stop. */
async function dispatchUntil(load: Load, tasks: readonly Parameters<Load['dispatch']>[0][], stop: () => boolean): Promise<void> {
  const rest = [...tasks]
  const take = async (): Promise<void> => {
    for (let task = rest.shift(); task && !stop(); task = rest.shift()) {
      await load.dispatch(task)
      await pause(300)
    }
  }
  await Promise.all([take(), take(), take()])
}

async function dispatchAndWait(stand: Stand, query: string, id: 'sirp.query.dispatchWait' | 'sirp.query.dispatch' = 'sirp.query.dispatchWait') {
  const response = await send({ baseUrl: stand.apis[0]?.url ?? '', apiKey: adminKey }, id, { body: { query }, headers: { Prefer: 'wait=60' } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> } // a problem, or the query
}
