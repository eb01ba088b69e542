import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { createPolicy } from '../support/policies.ts'

const id = 'gonogo.policy.simulate'

describe(id, () => {
  test('tells how long dispatches take under a policy that need not exist', async ({ call }) => {
    const body = { dispatches: 300, policy: { perSecond: '5', perTenSeconds: 40, perMinute: 200 } }
    expect(await call(id, { body })).toEqual({ dispatches: 300, policy: { perSecond: 5, perTenSeconds: 40, perMinute: 200 }, durationMs: 83_000 })
    expect(await call(id, { body: { dispatches: 1_000_000, policy: {} } })).toMatchObject({ durationMs: 0 })
    expect(await call(id, { body: { dispatches: 1_000_000, policy: { perMinute: 1 } } })).toMatchObject({ durationMs: 999_999 * 60_000 })
    expect(await call(id, { body: { dispatches: 1, policy: { perSecond: 0 } } })).toMatchObject({ durationMs: null })
  })

  test('goes by the policy in force where a domain is named', async ({ api, call }) => {
    await createPolicy(api, 'shop.example', { perMinute: 2 })
    expect(await call(id, { body: { dispatches: 3, domain: 'www.Shop.example' } })).toEqual({ dispatches: 3, policy: { perMinute: 2 }, durationMs: 60_000 })
    expect(await call(id, { body: { dispatches: 3, domain: 'other.example' } })).toMatchObject({ policy: { perSecond: 1 }, durationMs: 2_000 })
  })

  test.for<[object, string]>([
    [{ policy: {} }, '/dispatches'],
    [{ dispatches: 0, policy: {} }, '/dispatches'],
    [{ dispatches: 1.5, policy: {} }, '/dispatches'],
    [{ dispatches: 1_000_001, policy: {} }, '/dispatches'],
    [{ dispatches: 1 }, '/policy'],
    [{ dispatches: 1, policy: {}, domain: 'a.example' }, '/policy'],
    [{ dispatches: 1, policy: { perHour: 1 } }, '/policy/perHour'],
    [{ dispatches: 1, policy: { perSecond: -1 } }, '/policy/perSecond'],
    [{ dispatches: 1, domain: 'a.example:80' }, '/domain'],
  ])('refuses %j and names the field', async ([body, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })
})
