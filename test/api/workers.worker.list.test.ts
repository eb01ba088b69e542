import { describe, expect } from 'vitest'
import { endless } from '../support/dispatched.ts'
import { test } from '../support/engine.ts'

const id = 'workers.worker.list'

describe(id, () => {
  test('shows every live process with its load', async ({ api, call }) => {
    await expect.poll(async () => (await call(id)).total, { timeout: 10_000 }).toBe(2)
    const { items } = await call(id)
    expect(items.map(({ service }) => service)).toEqual(['api', 'query'])
    for (const worker of items) {
      expect(worker).toMatchObject({ pid: process.pid, version: '0.1.0', concurrency: expect.any(Number) as number })
      expect(Date.now() - Date.parse(worker.heartbeatAt)).toBeLessThan(6_000)
      expect(worker.load).toBeLessThan(1)
    }
    expect(items[1]?.concurrency).toBe(api.house.env.queryConcurrency)
    expect(await call(id, { query: { offset: 1, limit: 1 } })).toMatchObject({ items: [{ service: 'query' }], total: 2, offset: 1, limit: 1 })
  })

  test('shows a worker with a job as busy', async ({ call }) => {
    const { id: queryId } = await call('sirp.query.dispatch', { body: { query: endless } })
    const load = async () => (await call(id)).items.find(({ service }) => service === 'query')?.load
    await expect.poll(load, { timeout: 10_000 }).toBeGreaterThan(0)
    await call('sirp.query.cancel', { params: { id: queryId } })
    await expect.poll(load, { timeout: 10_000 }).toBe(0)
  })
})
