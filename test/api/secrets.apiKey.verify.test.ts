import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { brief } from '../support/labels.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const operation = 'secrets.apiKey.verify'

/** The key with another last character. */
const withOtherEnd = (key: string): string => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`

describe(operation, () => {
  test('answers whose key it is and what it may do', async ({ api, call }) => {
    const { id, key } = await generateKey(api, { name: 'ci', scopes: ['queries:read', 'browser:run'], expiresAt: '2999-01-01T00:00:00Z' })
    expect(await call(operation, { body: { key } })).toEqual({ valid: true, id, name: 'ci', scopes: ['queries:read', 'browser:run'] })
  })

  test('answers for the caller’s own key too', async ({ api, call }) => {
    expect(await call(operation, { body: { key: api.adminKey } })).toMatchObject({ valid: true, scopes: ['admin'] })
  })

  const garbage = ['x', 'svc', 'svc_', 'svc__', ' ', '\n', `svc_${'0'.repeat(32)}_`, `svc_${'0'.repeat(32)}_${'A'.repeat(43)}`, '😀'.repeat(1000), 'x'.repeat(1000), "' OR 1=1 --", '%00', '__proto__']
  test.for(garbage.map((key) => [brief(key), key] as const))('answers no more than { valid: false } for %s', async ([, key], { call }) => {
    expect(await call(operation, { body: { key } })).toEqual({ valid: false })
  })

  test('answers { valid: false } for a real key that is changed in any part', async ({ api, call }) => {
    const { key } = await generateKey(api)
    const other = await generateKey(api)
    const changed = [withOtherEnd(key), key.slice(0, -1), `${key}A`, ` ${key}`, `${key} `, key.toUpperCase(), `svc ${key}`, key.slice(0, 37) + other.key.slice(37), key.slice(0, 37)]
    for (const wrong of changed) expect(await call(operation, { body: { key: wrong } })).toEqual({ valid: false })
    expect(await call(operation, { body: { key } })).toMatchObject({ valid: true })
  })

  test('answers { valid: false } for a key that has expired or is deleted', async ({ api, call }) => {
    const [expired, deleted] = [await generateKey(api, { expiresAt: '2999-01-01T00:00:00Z' }), await generateKey(api)]
    await api.house.db.apiKey.update({ where: { id: expired.id }, data: { expiresAt: new Date() } })
    await call('secrets.apiKey.delete', { params: { id: deleted.id } })
    for (const { key } of [expired, deleted]) expect(await call(operation, { body: { key } })).toEqual({ valid: false })
  })

  test.for([{ key: '' }, { key: 'secret'.repeat(167) }, { key: 5_550_001 }, { key: null }, { key: ['secret'] }, {}].map((body) => [brief(body), body] as const))(
    'refuses %s, says where, and does not quote it',
    async ([, body], { api, sendAs }) => {
      const problem = await expectProblem(await sendAs(api.adminKey, operation, { body }), 'validation_failed')
      expect(problem.errors).toMatchObject([{ path: '/key' }])
      expect(JSON.stringify(problem)).not.toMatch(/secret|5550001/)
    },
  )

  test('refuses an unknown field by name', async ({ api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { body: { key: 'x', scope: 'admin' } }), 'validation_failed')
    expect(errors).toEqual([{ path: '/scope', message: 'is not a known field' }])
  })

  test('leaves no trace of the key in the log, and none at all in the audit log', async ({ api, call }) => {
    const { key } = await generateKey(api)
    const before = await api.house.db.auditEntry.count()
    await call(operation, { body: { key } })
    await call(operation, { body: { key: withOtherEnd(key) } })
    expect(await api.house.db.auditEntry.count()).toBe(before)
    expect(api.logLines.join('\n')).not.toContain(key.slice(0, -1))
  })

  test('needs a key that may read secrets', async ({ api, sendAs }) => {
    const { key } = await generateKey(api, { scopes: ['secrets:write', 'queries:*'] })
    await expectProblem(await sendAs(key, operation, { body: { key } }), 'forbidden')
  })
})
