import { describe, expect } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { pause } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { startApi, test, unknownId } from '../support/api.ts'
import { badIds, createPolicy } from '../support/policies.ts'
import { sendPath } from '../support/rawPath.ts'

const id = 'gonogo.policy.enforce'

describe(id, () => {
  test('lets as many go as the policy allows, and tells the others when to ask again', async ({ api, call }) => {
    await createPolicy(api, 'shop.example', { perSecond: 2 })
    const enforce = () => call(id, { params: { domain: 'www.shop.example', id: newId() } })
    const answers = await Promise.all(Array.from({ length: 8 }, enforce))
    expect(answers.filter(({ go }) => go)).toEqual(Array.from({ length: 2 }, () => ({ go: true, waitMs: 0, policy: { perSecond: 2 } })))
    const refused = await enforce()
    expect(refused).toMatchObject({ go: false, policy: { perSecond: 2 } })
    expect(refused.waitMs).toBeGreaterThan(0)
    expect(refused.waitMs).toBeLessThanOrEqual(1_200)
    await pause(refused.waitMs ?? 0)
    expect(await enforce()).toMatchObject({ go: true })
  })

  test('goes by the default where there is no policy, for each host by itself and for any uuid', async ({ call }) => {
    const policy = { perSecond: 1, perTenSeconds: 10, perMinute: 60 }
    expect(await call(id, { params: { domain: 'One.Example.', id: unknownId } })).toEqual({ go: true, waitMs: 0, policy })
    expect(await call(id, { params: { domain: 'one.example', id: unknownId } })).toMatchObject({ go: false, policy })
    expect(await call(id, { params: { domain: 'two.example', id: unknownId } })).toMatchObject({ go: true })
  })

  test('goes by a policy that was made, changed or deleted a moment ago, whichever process is asked', async ({ api, call }) => {
    const other = await startApi(api.settings)
    const callOther = createClient({ baseUrl: other.url, apiKey: api.adminKey })
    const params = { domain: 'new.example', id: unknownId }
    const { id: policyId } = await createPolicy(api, 'new.example', { perMinute: 0 })
    for (const ask of [call, callOther]) expect(await ask(id, { params })).toEqual({ go: false, waitMs: null, policy: { perMinute: 0 } })
    await call('gonogo.policy.update', { params: { id: policyId }, body: { name: 'n', domain: 'new.example', policy: { perMinute: 1 } } })
    expect(await callOther(id, { params })).toEqual({ go: true, waitMs: 0, policy: { perMinute: 1 } })
    const refused = await call(id, { params })
    expect(refused.go).toBe(false)
    expect(refused.waitMs).toBeGreaterThan(55_000)
    await call('gonogo.policy.delete', { params: { id: policyId } })
    expect(await callOther(id, { params: { domain: 'new.example', id: unknownId } })).toMatchObject({ policy: { perMinute: 60 } })
    await other.close()
  })

  test('lets everything go where the policy sets no limit', async ({ api, call }) => {
    await createPolicy(api, 'free.example', {})
    for (let count = 0; count < 20; count += 1) expect(await call(id, { params: { domain: 'free.example', id: unknownId } })).toEqual({ go: true, waitMs: 0, policy: {} })
  })

  test('audits what was taken, and only that', async ({ api, call }) => {
    const params = { domain: 'audited.example', id: unknownId }
    expect([(await call(id, { params })).go, (await call(id, { params })).go]).toEqual([true, false])
    expect(await api.house.db.auditEntry.findMany({ where: { target: 'audited.example' }, select: { operation: true, outcome: true } })).toEqual([{ operation: id, outcome: 'done' }])
  })

  test('answers unavailable while Redis is away', async () => {
    const lonely = await startApi({ REDIS_URL: 'redis://127.0.0.1:1/0' })
    const call = createClient({ baseUrl: lonely.url, apiKey: lonely.adminKey })
    await expect(call(id, { params: { domain: 'shop.example', id: unknownId } })).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    await lonely.close()
  })

  test.for(['a%20b', 'a..b', 'http:%2f%2fa.example', 'a.example:80', '*.a.example', `${'a.'.repeat(500)}b`])('refuses %s as a domain', async (domain, { api }) => {
    const { status, body } = await sendPath(api, 'POST', `/v1/gonogo/policies/enforce/${domain}/${unknownId}`, undefined)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/domain', in: 'path' }] })
  })

  test.for(badIds)('refuses %s as an id', async (bad, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { domain: 'shop.example', id: bad } })
    expect(response.status).toBe(400)
  })
})
