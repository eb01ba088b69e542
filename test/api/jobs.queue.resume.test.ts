import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

const id = 'jobs.queue.resume'

describe(id, () => {
  test('lets a paused queue go, and does nothing to another', async ({ call }) => {
    const params = { queue: 'export' }
    expect(await call(id, { params })).toMatchObject({ paused: false })
    await call('jobs.queue.pause', { params })
    expect(await call(id, { params })).toMatchObject({ queue: 'export', paused: false })
  })

  test('answers not_found for a queue that there is not', async ({ call }) => {
    await expect(call(id, { params: { queue: 'nope' } })).rejects.toMatchObject({ status: 404 })
  })
})
