import { afterAll, describe, expect } from 'vitest'
import { tick } from '../../../src/services/almanac/tick.ts'
import { test } from '../../support/engine.ts'
import { createSchedule, makeDue } from '../../support/schedules.ts'
import { openTarget } from '../../support/target.ts'

let prices = [{ sku: 'a', price: 1 }, { sku: 'b', price: 2 }]
const target = await openTarget(({ url }) => (url === '/prices' ? { body: prices } : { status: 204 }))
afterAll(() => target[Symbol.asyncDispose]())

/** Rows are sent beside each other, so they arrive in any order. */
const notices = (): unknown[] =>
  target.hits.filter(({ url }) => url === '/hook').map(({ body }) => body.toString()).toSorted().map((text) => JSON.parse(text) as unknown)

describe('a schedule that watches', () => {
  test('notifies at its first run and then only of what has changed', { timeout: 60_000 }, async ({ api, call }) => {
    const query = `api get ${target.url}/prices || diff watched --key sku --update || notify ${target.url}/hook`
    const { id } = await createSchedule(api, { query, minutes: 60 })
    const runOnce = async (fired: number): Promise<unknown[]> => {
      target.hits.splice(0)
      await makeDue(api, id, 1_000)
      await tick(api.house)
      const seen = async () => {
        await tick(api.house)
        const { lastStatus, runs } = await call('sirp.schedule.read', { params: { id } })
        return { lastStatus, fired: runs.fired }
      }
      await expect.poll(seen, { timeout: 30_000 }).toEqual({ lastStatus: 'completed', fired })
      return notices()
    }

    expect(await runOnce(1)).toMatchObject([{ sku: 'a', _diff: 'added' }, { sku: 'b', _diff: 'added' }])
    expect(await runOnce(2)).toEqual([])
    prices = [{ sku: 'a', price: 1 }, { sku: 'b', price: 3 }]
    expect(await runOnce(3)).toMatchObject([{ sku: 'b', price: 3, _diff: 'changed' }])
    expect(await runOnce(4)).toEqual([])
  })

  test('looks at what is there now although earlier queries have left their rows in the cache, also inside a template', { timeout: 60_000 }, async ({ api, call }) => {
    await call('sirp.template.create', { body: { name: 'prices', description: 'd', query: `api get ${target.url}/prices` } })
    const query = 'runTemplate prices || filter "price > 0"'
    const { id } = await createSchedule(api, { query, minutes: 60 })
    for (const price of [10, 11]) {
      prices = [{ sku: 'a', price }]
      const { results } = await call('sirp.schedule.run', { params: { id }, headers: { Prefer: 'wait=30' } })
      expect(results).toEqual([{ content: { sku: 'a', price } }])
    }
  })
})
