import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const id = 'jobs.queue.pause'

describe(id, () => {
  test('keeps jobs waiting until the queue is resumed, and none is lost', async ({ call }) => {
    const params = { queue: 'query' }
    expect(await call(id, { params })).toMatchObject({ queue: 'query', paused: true })
    expect(await call(id, { params })).toMatchObject({ paused: true })
    const { id: queryId } = await call('sirp.query.dispatch', { body: { query: 'range 3' } })
    await expect.poll(async () => (await call(id, { params })).waiting).toBe(1)
    expect(await call('sirp.query.status', { params: { id: queryId } })).toMatchObject({ status: 'queued' })
    expect(await call('sirp.service.status', { params: { service: 'sirp' } })).toMatchObject({ status: 'degraded' })
    expect(await call('jobs.queue.resume', { params })).toMatchObject({ paused: false })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id: queryId } })).status, { timeout: 10_000 }).toBe('completed')
  })

  test('answers not_found for a queue that there is not', async ({ call }) => {
    await expect(call(id, { params: { queue: 'nope' } })).rejects.toMatchObject({ status: 404 })
  })
})
