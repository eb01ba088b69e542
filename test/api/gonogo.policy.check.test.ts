import { describe, expect } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { startApi, test } from '../support/api.ts'
import { sendPath } from '../support/rawPath.ts'

const id = 'gonogo.policy.check'
const byDefault = { perSecond: 1, perTenSeconds: 10, perMinute: 60 }
const none = { perSecond: 0, perTenSeconds: 0, perMinute: 0 }

describe(id, () => {
  test('allows a dispatch where nothing was sent, whether the body says so or is left out', async ({ api, sendAs }) => {
    for (const input of [{}, { body: {} }, { body: { domainDispatches: [] } }]) {
      const response = await sendAs(api.adminKey, id, { params: { domain: 'quiet.example' }, ...input })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ allowed: true, waitMs: 0, policy: byDefault, counts: none })
    }
  })

  test('judges by the times that are given, and takes nothing', async ({ api, call }) => {
    await call('gonogo.policy.create', { body: { name: 'x', domain: 'busy.example', policy: { perMinute: 2 } } })
    const now = Date.now()
    const check = () => call(id, { params: { domain: 'busy.example' }, body: { domainDispatches: [[now - 30_000, 'more'], [now - 5_000], [now - 600_000]] } })
    const answer = await check()
    expect(answer).toMatchObject({ allowed: false, policy: { perMinute: 2 }, counts: { perSecond: 0, perTenSeconds: 1, perMinute: 2 } })
    expect(answer.waitMs).toBeLessThanOrEqual(30_000)
    expect(answer.waitMs).toBeGreaterThan(20_000)
    expect((await check()).counts).toEqual(answer.counts)
    const audited = await api.house.db.auditEntry.count({ where: { operation: id } })
    expect(audited).toBe(0)
  })

  test('goes by the policy of the host, else of its nearest parent, else by the default', async ({ call }) => {
    for (const [domain, perMinute] of [['site.example', 10], ['deep.a.site.example', 30], ['203.0.113.7', 40]] as const) {
      await call('gonogo.policy.create', { body: { name: domain, domain, policy: { perMinute } } })
    }
    const policyOf = async (domain: string) => (await call(id, { params: { domain }, body: {} })).policy
    for (const domain of ['site.example', 'a.site.example', 'SITE.Example.', 'b.deep.site.example']) expect(await policyOf(domain)).toEqual({ perMinute: 10 })
    for (const domain of ['deep.a.site.example', 'x.y.deep.a.site.example']) expect(await policyOf(domain)).toEqual({ perMinute: 30 })
    for (const domain of ['notsite.example', 'example', '1.203.0.113.7.example', '[::1]']) expect(await policyOf(domain)).toEqual(byDefault)
    expect(await policyOf('203.0.113.7')).toEqual({ perMinute: 40 })
  })

  test('sets no limit where the policy has none, and waits for ever where it blocks', async ({ call }) => {
    await call('gonogo.policy.create', { body: { name: 'x', domain: 'free.example', policy: {} } })
    await call('gonogo.policy.create', { body: { name: 'x', domain: 'blocked.example', policy: { perTenSeconds: 0 } } })
    const body = { domainDispatches: Array.from({ length: 1_000 }, () => [Date.now()]) }
    expect(await call(id, { params: { domain: 'a.free.example' }, body })).toMatchObject({ allowed: true, waitMs: 0, policy: {}, counts: { perMinute: 1_000 } })
    expect(await call(id, { params: { domain: 'blocked.example' }, body: {} })).toMatchObject({ allowed: false, waitMs: null, policy: { perTenSeconds: 0 } })
  })

  test.for([
    ['off', {}],
    ['3/30/300', { perSecond: 3, perTenSeconds: 30, perMinute: 300 }],
  ] as const)('takes %s as the default of hosts without a policy', async ([setting, policy]) => {
    const api = await startApi({ POLICY_DEFAULT: setting })
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    expect(await call(id, { params: { domain: 'any.example' }, body: {} })).toMatchObject({ allowed: true, policy })
    await api.close()
  })

  test('names each dispatch that has no time', async ({ api, sendAs }) => {
    const times = [[1], ['1'], [null], [{}], [true], [[]], [-1.5]]
    const response = await sendAs(api.adminKey, id, { params: { domain: 'a.example' }, body: { domainDispatches: times } })
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5].map((index) => `/domainDispatches/${index}/0`))
  })

  test.for<[unknown, string]>([
    [{ domainDispatches: [[]] }, '/domainDispatches/0'],
    [{ domainDispatches: [1] }, '/domainDispatches/0'],
    [{ domainDispatches: {} }, '/domainDispatches'],
    [{ domainDispatches: null }, '/domainDispatches'],
    [{ dispatches: [] }, '/dispatches'],
  ])('refuses %j and names the field', async ([body, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { domain: 'a.example' }, body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })

  test('takes 100,000 dispatches and no more', async ({ api, sendAs, call }) => {
    const dispatches = (count: number) => ({ domainDispatches: Array.from({ length: count }, () => [0]) })
    expect(await call(id, { params: { domain: 'a.example' }, body: dispatches(100_000) })).toMatchObject({ allowed: true, counts: none })
    expect((await sendAs(api.adminKey, id, { params: { domain: 'a.example' }, body: dispatches(100_001) })).status).toBe(400)
  })

  test.for(['a%20b', 'a..b', '.', '..', '%2e%2e', '-a.example', 'http:%2f%2fa.example', 'a.example:80', '*.a.example', '%20', 'a%2fb', 'a'.repeat(64), `${'a.'.repeat(500)}b`])(
    'refuses %s as a domain',
    async (domain, { api }) => {
      const { status, body } = await sendPath(api, 'POST', `/v1/gonogo/policies/check/${domain}`, {})
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/domain', in: 'path' }] })
    },
  )
})
