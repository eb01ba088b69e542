import { createClient } from '../../src/client/index.ts'
import { describe, expect } from 'vitest'
import { grants } from '../../src/contract/scopes.ts'
import { test } from '../support/api.ts'
import { everyText, spellingsOf } from '../support/everyText.ts'
import { badLabels, brief, goodLabels } from '../support/labels.ts'
import { generateKey, limitedKey, type GeneratedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const operation = 'secrets.apiKey.generate'

describe(operation, () => {
  test('needs no body, and answers 201 with a key that works, all that the caller may do, and its address', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, operation)
    const { key, ...record } = (await response.json()) as GeneratedKey
    expect(response.status).toBe(201)
    expect(key).toMatch(new RegExp(`^svc_${record.id.replaceAll('-', '')}_[A-Za-z0-9_-]{43}$`))
    expect(record).toMatchObject({ name: 'API key', scopes: ['admin'], expiresAt: null })
    expect(response.headers.get('location')).toBe(`/v1/secrets/apikeys/${record.id}`)
    const read = await sendAs(key, 'secrets.apiKey.read', { params: { id: record.id } })
    expect(await read.json()).toEqual(record)
  })

  test('shows the key once: it is in no row and no log line, whole or in part', async ({ api }) => {
    const { key } = await generateKey(api, { name: 'shown once' })
    const kept = `${await everyText(api.house)}\n${api.logLines.join('\n')}`
    const secret = key.slice('svc_'.length + 33)
    for (const spelling of [key, secret].flatMap(spellingsOf)) expect(kept).not.toContain(spelling)
  })

  test('answers a repeat with the same Idempotency-Key with the same key, and makes one', async ({ api, sendAs }) => {
    const again = () => sendAs(api.adminKey, operation, { body: { name: 'once' }, headers: { 'Idempotency-Key': 'one key' } })
    const answers = await Promise.all([again(), again(), again()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const keys = (await Promise.all(answers.map((answer) => answer.json()))) as GeneratedKey[]
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1)
    expect(await api.house.db.apiKey.count({ where: { name: 'once' } })).toBe(1)
    expect(await everyText(api.house)).not.toContain(keys[0]?.key)
  })

  test('makes a different key each time', async ({ api }) => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => generateKey(api, { name: 'many' })))
    expect(new Set(keys.map(({ key }) => key)).size).toBe(10)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(10)
  })

  test('names the new key and its maker in the audit log', async ({ api }) => {
    const maker = await generateKey(api, { scopes: ['secrets:*'] })
    const { id: target } = await generateKey(api, {}, maker.key)
    expect(await api.house.db.auditEntry.findMany({ where: { target } })).toMatchObject([{ operation, outcome: 'done', actor: maker.id }])
  })

  test.for(goodLabels(1000).map((name) => [brief(name), name] as const))('takes %s as a name', async ([, name], { api }) => {
    expect(await generateKey(api, { name })).toMatchObject({ name })
  })

  test.for(badLabels(1000).map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { body: { name } }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/name' }])
  })

  test.for([{ key: 'svc_mine' }, { id: '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52' }, { admin: true }])('refuses the unknown field of %j', async (body, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { body }), 'validation_failed')
    expect(errors).toEqual([{ path: `/${Object.keys(body)[0]}`, message: 'is not a known field' }])
  })
})

describe(`${operation} and scopes`, () => {
  test('gives a key the scopes of its caller where none are asked for', async ({ api }) => {
    const caller = await limitedKey(api, 'secrets:*', 'queries:read')
    expect(await generateKey(api, {}, caller)).toMatchObject({ scopes: ['secrets:*', 'queries:read'] })
  })

  test('lets an admin hand on every scope', async ({ api }) => {
    expect(await generateKey(api, { scopes: grants })).toMatchObject({ scopes: grants })
  })

  test.for([
    { held: ['secrets:write', 'policies:*'], asked: 'policies:read' },
    { held: ['secrets:write', 'policies:*'], asked: 'policies:*' },
    { held: ['secrets:write', 'policies:read', 'policies:write'], asked: 'policies:*' },
    { held: ['secrets:write'], asked: 'secrets:write' },
  ] as const)('lets a holder of $held hand on $asked', async ({ held, asked }, { api }) => {
    const caller = await limitedKey(api, ...held)
    expect(await generateKey(api, { scopes: [asked] }, caller)).toMatchObject({ scopes: [asked] })
  })

  test.for([
    { held: ['secrets:*'], asked: 'admin' },
    { held: ['secrets:write'], asked: 'secrets:read' },
    { held: ['secrets:write'], asked: 'secrets:*' },
    { held: ['secrets:write', 'policies:read'], asked: 'policies:*' },
    { held: ['secrets:write', 'policies:read'], asked: 'policies:write' },
    { held: ['secrets:*'], asked: 'browser:run' },
  ] as const)('keeps a holder of $held from handing on $asked', async ({ held, asked }, { api, sendAs }) => {
    const caller = await limitedKey(api, ...held)
    const before = await api.house.db.apiKey.count()
    const { detail } = await expectProblem(await sendAs(caller, operation, { body: { scopes: [...held, asked] } }), 'forbidden')
    expect(detail).toContain(asked)
    expect(await api.house.db.apiKey.count()).toBe(before)
  })

  test('makes a key that may do what its scopes say and nothing else', async ({ api, sendAs }) => {
    const key = await limitedKey(api, 'policies:read')
    expect((await sendAs(key, 'gonogo.policy.list')).status).toBe(200)
    for (const id of ['secrets.apiKey.list', 'secrets.credential.list', 'secrets.store.list'] as const) await expectProblem(await sendAs(key, id), 'forbidden')
    expect(await expectProblem(await sendAs(key, operation), 'forbidden')).toMatchObject({ scope: 'secrets:write' })
  })

  test.for([
    { scopes: ['queries:read', 'everything'], path: '/scopes/1' },
    { scopes: ['Admin'], path: '/scopes/0' },
    { scopes: [null], path: '/scopes/0' },
    { scopes: [], path: '/scopes' },
    { scopes: ['admin', 'admin'], path: '/scopes' },
    { scopes: 'admin', path: '/scopes' },
    { scopes: null, path: '/scopes' },
  ])('refuses the scopes $scopes and says where', async ({ scopes, path }, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { body: { scopes } }), 'validation_failed')
    expect(errors).toMatchObject([{ path }])
  })
})

describe(`${operation} and expiry`, () => {
  test.for([
    ['2999-12-31T23:59:59.999Z', '2999-12-31T23:59:59.999Z'],
    ['2999-01-31T12:00:00+02:30', '2999-01-31T09:30:00.000Z'],
    ['2999-01-31t12:00:00.123456z', '2999-01-31T12:00:00.123Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ] as const)('takes %s', async ([given, kept], { api }) => {
    expect(await generateKey(api, { expiresAt: given })).toMatchObject({ expiresAt: kept })
  })

  const never = ['2999-02-30T00:00:00Z', '2999-01-31T12:00:00', '2999-01-31 12:00:00Z', '2999-01-31', '32503680000000', '', 'tomorrow', null, 32_503_680_000_000]
  test.for(['2000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '2999-12-31T23:59:60Z', '9999-12-31T23:59:59-23:59', ...never])('refuses %j and says where', async (expiresAt, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { body: { expiresAt } }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/expiresAt' }])
  })

  test('refuses this very moment, which is over when it is looked at', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, operation, { body: { expiresAt: new Date().toISOString() } })
    expect((await expectProblem(response, 'validation_failed')).errors?.[0]?.message).toContain('after now')
  })

  test('makes a key that is refused from its expiry on', async ({ api, sendAs }) => {
    const { id, key } = await generateKey(api, { expiresAt: '2999-01-01T00:00:00Z' })
    await api.house.db.apiKey.update({ where: { id }, data: { expiresAt: new Date() } })
    await expectProblem(await sendAs(key, 'gonogo.policy.list'), 'unauthorized')
  })

  test('makes no key that lasts longer than the one it is made with', async ({ api, call }) => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    const { key } = await call('secrets.apiKey.generate', { body: { expiresAt: inAnHour } })
    const short = createClient({ baseUrl: api.url, apiKey: key })
    await expect(short('secrets.apiKey.generate', { body: {} })).resolves.toMatchObject({ expiresAt: inAnHour })
    const later = new Date(Date.now() + 7_200_000).toISOString()
    await expect(short('secrets.apiKey.generate', { body: { expiresAt: later } })).rejects.toMatchObject({ status: 403, code: 'forbidden' })
  })
})
