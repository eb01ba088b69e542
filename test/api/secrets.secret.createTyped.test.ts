import { describe, expect } from 'vitest'
import { mask } from '../../src/contract/schemas.ts'
import { secretTypes } from '../../src/contract/secrets/secrets.ts'
import { test } from '../support/api.ts'
import { describeSecretLimits } from '../support/secrets.ts'

const id = 'secrets.secret.createTyped'

describeSecretLimits('createTyped')

describe(id, () => {
  test.for(secretTypes.map((type) => [type] as const))('creates a secret of the type %s that the path names', async ([type], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { type }, body: { name: 'by path', secret: 'value' } })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/v1/secrets/${type}/by%20path`)
    expect(await response.json()).toMatchObject({ type, name: 'by path', secret: mask })
  })

  test('takes the same type in the body, and refuses another one', async ({ call }) => {
    await expect(call(id, { params: { type: 'store' }, body: { name: 'same', type: 'store' } })).resolves.toMatchObject({ type: 'store' })
    await expect(call(id, { params: { type: 'store' }, body: { name: 'other', type: 'user' } })).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
      problem: { errors: [{ path: '/type' }] },
    })
    await expect(call('secrets.secret.read', { params: { type: 'store', name: 'other' } })).rejects.toMatchObject({ status: 404 })
  })

  test('refuses a type that does not exist', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { type: 'nonsense' }, body: { name: 'a' } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: '/type', in: 'path' }] })
  })

  test('answers conflict for a name that the other variant has taken', async ({ call }) => {
    await call('secrets.secret.create', { body: { name: 'twice', type: 'user' } })
    await expect(call(id, { params: { type: 'user' }, body: { name: 'twice' } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
  })
})
