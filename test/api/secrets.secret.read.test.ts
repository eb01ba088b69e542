import { describe, expect } from 'vitest'
import { mask } from '../../src/contract/schemas.ts'
import { test } from '../support/api.ts'
import { badPathLabels, brief } from '../support/labels.ts'
import { sendPath } from '../support/rawPath.ts'

const id = 'secrets.secret.read'

describe(id, () => {
  test('answers the record with its value masked', async ({ call }) => {
    const created = await call('secrets.secret.create', { body: { name: 'a/b', type: 'prompt', secret: 'hidden', metadata: { type: 't', n: 1 } } })
    const read = await call(id, { params: { type: 'prompt', name: 'a/b' } })
    expect(read).toEqual(created)
    expect(read.secret).toBe(mask)
  })

  test('looks only among the secrets of the type', async ({ call }) => {
    await call('secrets.secret.create', { body: { name: 'typed', type: 'user' } })
    await expect(call(id, { params: { type: 'custom', name: 'typed' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('keeps out of the way of the routes beside it', async ({ call }) => {
    await call('secrets.secret.create', { body: { name: 'mine', type: 'checkpoint' } })
    await expect(call('secrets.checkpoint.read', { params: { name: 'mine' } })).rejects.toMatchObject({ status: 404 })
    await expect(call(id, { params: { type: 'checkpoint', name: 'mine' } })).resolves.toMatchObject({ type: 'checkpoint' })
  })

  test.for([...badPathLabels, 'a'.repeat(251)].map((name) => [brief(name), name] as const))('refuses %s as a name in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'GET', `/v1/secrets/custom/${name}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
  })

  test('refuses a type that does not exist', async ({ api }) => {
    const { status, body } = await sendPath(api, 'GET', '/v1/secrets/Custom/a')
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: '/type', in: 'path' }] })
  })
})
