import { describe, expect } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { governorOf } from '../../src/services/gonogo/governorOf.ts'
import { startApi, test, unknownId } from '../support/api.ts'
import { createPolicy } from '../support/policies.ts'

const id = 'gonogo.domain.list'

describe(id, () => {
  test('shows every domain that is asked for, with what its windows hold, who waits, and until when it cools down', async ({ api, call }) => {
    expect(await call(id)).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    await createPolicy(api, 'shop.example', { perSecond: 50, perMinute: 2 })
    for (let count = 0; count < 3; count += 1) await call('gonogo.policy.enforce', { params: { domain: 'www.shop.example', id: unknownId } })
    const governor = governorOf(api.house)
    await governor.take('shop.example', { id: 'waiting' })
    await governor.coolDown('cool.example', 60_000)
    const { items, total } = await call(id)
    expect(total).toBe(2)
    expect(items).toEqual([
      {
        domain: 'cool.example',
        policy: { perSecond: 1, perTenSeconds: 10, perMinute: 60 },
        counts: { perSecond: 0, perTenSeconds: 0, perMinute: 0 },
        waiting: 0,
        nextAt: expect.stringMatching(/Z$/) as string,
        coolDownUntil: items[0]?.nextAt,
      },
      {
        domain: 'shop.example',
        policy: { perSecond: 50, perMinute: 2 },
        counts: { perSecond: 2, perTenSeconds: null, perMinute: 2 },
        waiting: 1,
        nextAt: expect.stringMatching(/Z$/) as string,
        coolDownUntil: null,
      },
    ])
    expect(Date.parse(items[1]?.nextAt ?? '') - Date.now()).toBeGreaterThan(50_000)
    expect(await call(id, { query: { offset: 1, limit: 1 } })).toMatchObject({ items: [{ domain: 'shop.example' }], total: 2, offset: 1, limit: 1 })
  })

  test('shows no time for the next dispatch where the policy blocks the domain', async ({ api, call }) => {
    await call('gonogo.policy.enforce', { params: { domain: 'closing.example', id: unknownId } })
    await createPolicy(api, 'closing.example', { perMinute: 0 })
    const { items } = await call(id)
    expect(items.find(({ domain }) => domain === 'closing.example')).toMatchObject({ policy: { perMinute: 0 }, nextAt: null })
  })

  test('answers unavailable while Redis is away', async () => {
    const lonely = await startApi({ REDIS_URL: 'redis://127.0.0.1:1/0' })
    const call = createClient({ baseUrl: lonely.url, apiKey: lonely.adminKey })
    await expect(call(id)).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    await lonely.close()
  })
})
