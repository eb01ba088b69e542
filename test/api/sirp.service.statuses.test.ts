import { describe, expect } from 'vitest'
import { serviceNames } from '../../src/contract/services.ts'
import { startApi, test } from '../support/api.ts'
import { prepareRedis } from '../support/ownRedis.ts'

const id = 'sirp.service.statuses'

describe(id, () => {
  test('shows all ten services, each as its own status shows it, page by page', async ({ call }) => {
    await expect.poll(async () => (await call(id)).items[0]?.processes.length, { timeout: 10_000 }).toBe(1)
    const { items, total } = await call(id)
    expect(items.map(({ service }) => service)).toEqual(serviceNames)
    expect(total).toBe(10)
    expect(items.find(({ service }) => service === 'gonogo')).toMatchObject({ status: 'up' })
    expect(items.find(({ service }) => service === 'krull')).toMatchObject({ status: 'down' })
    const page = await call(id, { query: { offset: 8, limit: 5 } })
    expect(page.items.map(({ service }) => service)).toEqual(serviceNames.slice(8))
    await expect(call(id, { query: { limit: 1001 } })).rejects.toMatchObject({ status: 400 })
  })

  test('answers 503 while Redis is away, and soon after its return knows all again', async () => {
    const redis = await prepareRedis()
    const server = await redis.start()
    const api = await startApi({ REDIS_URL: redis.url })
    const statusOf = async () => (await fetch(`${api.url}/v1/sirp/services/status`, { headers: { authorization: `svc ${api.adminKey}` } })).status
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(200)
    await server.kill()
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(503)
    await redis.start()
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(200)
    await api.close()
  })
})
