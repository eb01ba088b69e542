import { describe, expect, test } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { comeToRest, Load } from './harness/load.ts'
import type { Place } from './harness/place.ts'
import { holderOf } from './harness/site.ts'
import { complaintsOf, openStand } from './harness/stand.ts'
import { strength } from './harness/strength.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

const kills = strength(10, 20)
const killEveryMs = 2_000
/** Twice the bound of a machine that has nothing else to do. */
const recoveryS = 40

describe('kill -9 of query workers', () => {
  test('loses no query and doubles no row, and repeats an effect at most once a kill', { timeout: strength(240_000, 400_000) }, async () => {
    const stand = await openStand({ almanac: true })
    const load = new Load(stand)
    const tasks = mixedTasks(300, stand.site.origin)
    const killing = killInTurn(stand.workers, kills)
    for (let wave = 0; wave < kills; wave += 1) {
      const next = pause(killEveryMs)
      await load.dispatchAll(tasks.slice(Math.floor((wave * tasks.length) / kills), Math.floor(((wave + 1) * tasks.length) / kills)))
      await next
    }
    await killing
    await comeToRest(stand)
    const verdict = await judge(stand, tasks)
    expect(verdict, complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [] })
    expect(stand.ledger.read().size).toBe(tasks.length)
    expect(load.unexpected).toEqual([])
    expect(verdict.mostHits).toBeLessThanOrEqual(1 + kills)
    expect(verdict.repeats).toBeLessThanOrEqual(kills * 16)
    expect(verdict.p95S).toBeLessThanOrEqual(recoveryS)
  })

  test('gives up a query that always ends its worker as poison, and harms no other', { timeout: 240_000 }, async () => {
    const stand = await openStand()
    const load = new Load(stand)
    const { id } = await stand.call('sirp.query.dispatch', { body: { query: `api get ${stand.site.origin}/hang` } })
    const tasks = mixedTasks(24, stand.site.origin)
    const starting: Promise<void>[] = []
    let killed = 0
    while (!isOver((await stand.call('sirp.query.status', { params: { id } })).status) && killed < 6) {
      const [socket] = stand.site.hanging
      const pid = socket && (await holderOf(socket, stand.workers.map((worker) => worker.process.pid ?? 0)))
      const worker = stand.workers.find((place) => place.process.pid === pid && !place.hasEnded)
      if (!worker) {
        await pause(50)
        continue
      }
      await load.dispatchAll(tasks.slice(killed * 4, killed * 4 + 4))
      await worker.kill()
      starting.push(worker.start())
      killed += 1
    }
    await Promise.all(starting)
    await comeToRest(stand)
    expect(await stand.call('sirp.query.status', { params: { id } })).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    expect(killed).toBe(4)
    expect(stand.site.hits.get('/hang')).toBe(4)
    expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [] })
  })
})

const isOver = (status: string): boolean => status !== 'queued' && status !== 'running'

/** Kills one worker after the other, and starts each anew; one at least is left to do the work, however long a start takes. */
async function killInTurn(workers: readonly Place[], times: number): Promise<void> {
  const starting: Promise<void>[] = []
  for (let turn = 0; turn < times; turn += 1) {
    await Promise.all([pause(killEveryMs), starting[turn - 2]])
    const worker = workers[turn % workers.length]
    await worker?.kill()
    starting.push(worker?.start() ?? Promise.resolve())
  }
  await Promise.all(starting)
}
