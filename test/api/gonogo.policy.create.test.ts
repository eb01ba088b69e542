import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

const draft = { name: 'polite', domain: 'shop.example', policy: { perSecond: 2, perTenSeconds: 15, perMinute: 60 } }

describe('gonogo.policy.create', () => {
  test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, 'gonogo.policy.create', { body: draft })
    const record = (await response.json()) as { id: string }
    expect(response.status).toBe(201)
    expect(record).toMatchObject({ ...draft, version: 1 })
    expect(response.headers.get('location')).toBe(`/v1/gonogo/policies/${record.id}`)
    expect(response.headers.get('etag')).toBe('"1"')
  })

  test('keeps one policy a domain, however it is spelled', async ({ call }) => {
    await call('gonogo.policy.create', { body: { ...draft, domain: 'bücher.example' } })
    for (const domain of ['BÜCHER.example', 'xn--bcher-kva.example', 'bücher.example.']) {
      await expect(call('gonogo.policy.create', { body: { ...draft, domain } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
    }
  })

  test('takes numeric text as its number, and an empty policy as no limit', async ({ call }) => {
    const text = await call('gonogo.policy.create', { body: { ...draft, domain: 'text.example', policy: { perSecond: '5' } } })
    expect(text.policy).toEqual({ perSecond: 5 })
    const none = await call('gonogo.policy.create', { body: { ...draft, domain: 'none.example', policy: {} } })
    expect(none.policy).toEqual({})
  })

  test.for([-1, 1.5, 1e12, 'many', '', null, true])('refuses %j as a rate and says where', async (rate, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, 'gonogo.policy.create', { body: { ...draft, domain: 'rate.example', policy: { perMinute: rate } } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/policy/perMinute' }] })
  })

  test.for(['https://a.example', 'a.example:80', 'a.example/x', '*.a.example', 'a b', 'a..b', '-a.example', '.'])(
    'refuses %j as a domain with the reason',
    async (domain, { call }) => {
      await expect(call('gonogo.policy.create', { body: { ...draft, domain } })).rejects.toMatchObject({ status: 400, problem: { errors: [{ path: '/domain' }] } })
    },
  )
})
