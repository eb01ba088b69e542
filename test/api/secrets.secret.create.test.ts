import { describe, expect } from 'vitest'
import { mask } from '../../src/contract/schemas.ts'
import { secretTypes } from '../../src/contract/secrets/secrets.ts'
import { test } from '../support/api.ts'
import { describeSecretLimits, type SecretRecord } from '../support/secrets.ts'
import { tally } from '../support/tally.ts'

const id = 'secrets.secret.create'

describeSecretLimits('create')

describe(id, () => {
  test('answers 201 with the record, the value masked, and its address', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { name: 'full', type: 'apikey', providerType: 'weather', secret: 'value', metadata: { type: 'token' } } })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('/v1/secrets/apikey/full')
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'apikey',
      name: 'full',
      providerType: 'weather',
      secret: mask,
      metadata: { type: 'token' },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  test('is of the type custom and without a mask where nothing else was said', async ({ call }) => {
    const record = await call(id, { body: { name: 'bare' } })
    expect(record.type).toBe('custom')
    expect(Object.keys(record).toSorted()).toEqual(['createdAt', 'id', 'name', 'type', 'updatedAt'])
  })

  test('stores the value so that only its own place opens it, and shows it in no answer and no log', async ({ api, call }) => {
    const secret = 'a-canary-that-nobody-may-see 😀'
    const record = await call(id, { body: { name: 'canary', secret } })
    const row = await api.house.db.secret.findUniqueOrThrow({ where: { id: record.id } })
    expect(api.house.box.open({ table: 'secrets', id: record.id, field: 'sealed' }, row.sealed ?? '')).toBe(secret)
    expect(() => api.house.box.open({ table: 'stores', id: record.id, field: 'sealed' }, row.sealed ?? '')).toThrow('does not open')
    expect(JSON.stringify(row)).not.toContain('canary-that')
    expect(JSON.stringify(record)).not.toContain('canary-that')
    await expect(call(id, { body: { name: 'canary', secret } })).rejects.not.toThrow('canary-that')
    expect(api.logLines.join('')).not.toContain('canary-that')
  })

  test.for(['x', 'x'.repeat(100_000), '😀'.repeat(100_000), '********', ' \n '])('keeps a value character by character', async (secret, { api, call }) => {
    const record = await call(id, { body: { name: `value ${secret.length} ${secret.codePointAt(0)}`, secret } })
    expect(record.secret).toBe(mask)
    const { sealed } = await api.house.db.secret.findUniqueOrThrow({ where: { id: record.id } })
    expect(api.house.box.open({ table: 'secrets', id: record.id, field: 'sealed' }, sealed ?? '')).toBe(secret)
  })

  test.for([
    '{"zebra":1,"apple":{"y":null,"x":[1,{"b":true,"a":false}]},"type":"t","mid":-0.5e-3}',
    '{"$type":"Raw","value":"[]","_ref":"x","_container":"y","prisma__type":"int","prisma__value":"1","toJSON":"x","$scalars":[]}',
    '{"nested":{"$type":"Json","value":"{}"},"hasOwnProperty":1,"":"empty key","kéy 😀":"v"}',
    '{}',
  ])('keeps the metadata %s in its order', async (text, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { name: `metadata ${text.length}`, metadata: JSON.parse(text) as unknown } })
    expect(response.status).toBe(201)
    const { metadata, name } = (await response.json()) as SecretRecord
    expect(JSON.stringify(metadata)).toBe(JSON.stringify(JSON.parse(text)))
    const read = (await (await sendAs(api.adminKey, 'secrets.secret.read', { params: { type: 'custom', name } })).json()) as SecretRecord
    expect(JSON.stringify(read.metadata)).toBe(JSON.stringify(JSON.parse(text)))
  })

  test('allows one name once for each type', async ({ call }) => {
    for (const type of secretTypes) await call(id, { body: { name: 'shared', type } })
    for (const type of secretTypes) {
      await expect(call(id, { body: { name: 'shared', type } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
    }
  })

  test('creates one record when twenty requests ask for one name at once', async ({ api, sendAs }) => {
    const create = async () => (await sendAs(api.adminKey, id, { body: { name: 'contended', secret: 'x' } })).status
    const statuses = await Promise.all(Array.from({ length: 20 }, create))
    expect(tally(statuses)).toEqual({ 201: 1, 409: 19 })
  })
})
