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

  test.for<[stored: string, ...spellings: string[]]>([
    ['[2001:db8::7]', '2001:DB8::7', '[2001:db8:0:0::7]', '2001:0db8:0000:0000:0000:0000:0000:0007'],
    ['[::ffff:102:304]', '::FFFF:1.2.3.4', '[::ffff:0102:0304]'],
    ['203.0.113.9', '203.0.113.9.', '203.0.28937', '0xcb.0.0x71.9'],
    ['upper.example', 'UPPER.Example', 'Upper.EXAMPLE.', 'ｕｐｐｅｒ.example'],
  ])('stores %s once for all its spellings', async ([stored, ...spellings], { call }) => {
    const [first = '', ...others] = spellings
    expect(await call('gonogo.policy.create', { body: { ...draft, domain: first } })).toMatchObject({ domain: stored })
    for (const domain of [stored, ...others]) {
      await expect(call('gonogo.policy.create', { body: { ...draft, domain } })).rejects.toMatchObject({ status: 409, problem: { detail: expect.stringContaining(stored) as string } })
    }
  })

  test('creates one of ten policies for a domain that are asked for at once', async ({ api, sendAs }) => {
    const create = async (index: number) => (await sendAs(api.adminKey, 'gonogo.policy.create', { body: { ...draft, domain: index % 2 === 0 ? 'raced.example' : 'RACED.example.' } })).status
    expect((await Promise.all(Array.from({ length: 10 }, (_, index) => create(index)))).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('takes numeric text as its number, and an empty policy as no limit', async ({ call }) => {
    const text = await call('gonogo.policy.create', { body: { ...draft, domain: 'text.example', policy: { perSecond: '5' } } })
    expect(text.policy).toEqual({ perSecond: 5 })
    const none = await call('gonogo.policy.create', { body: { ...draft, domain: 'none.example', policy: {} } })
    expect(none.policy).toEqual({})
  })

  test.for([-1, -0.5, 1.5, 1e-7, 1e12, 1e300, 'many', '', ' 5', '-1', '1.5', '1e3', '0x5', '٥', null, true, [1], {}])('refuses %j as a rate and says where', async (rate, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, 'gonogo.policy.create', { body: { ...draft, domain: 'rate.example', policy: { perMinute: rate } } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/policy/perMinute' }] })
  })

  test.for([
    'https://a.example', 'a.example:80', '[::1]:80', 'a.example/x', 'a.example/', '*.a.example', '*', 'a b', 'a..b', '-a.example', '.', ' a.example', 'user@a.example', 'a.example?x', 'a%2eexample',
    '[::1', '1.2.3.4.5', '999.1.1.1', 'xn--a', 'a'.repeat(64), '\0',
  ])(
    'refuses %j as a domain with the reason',
    async (domain, { call }) => {
      await expect(call('gonogo.policy.create', { body: { ...draft, domain } })).rejects.toMatchObject({ status: 400, problem: { errors: [{ path: '/domain' }] } })
    },
  )
})
