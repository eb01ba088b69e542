import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathLabels, brief } from '../support/labels.ts'
import { sendPath } from '../support/rawPath.ts'
import { tally } from '../support/tally.ts'

const id = 'secrets.secret.delete'

describe(id, () => {
  test('answers 204, after which this secret is gone, its name free, and the same name of another type still there', async ({ api, call, sendAs }) => {
    await call('secrets.secret.create', { body: { name: 'a/b', secret: 'x' } })
    await call('secrets.secret.create', { body: { name: 'a/b', type: 'user' } })
    const response = await sendAs(api.adminKey, id, { params: { type: 'custom', name: 'a/b' } })
    expect(response.status).toBe(204)
    await expect(call('secrets.secret.read', { params: { type: 'custom', name: 'a/b' } })).rejects.toMatchObject({ status: 404 })
    await expect(call('secrets.secret.read', { params: { type: 'user', name: 'a/b' } })).resolves.toMatchObject({ type: 'user' })
    await expect(call('secrets.secret.create', { body: { name: 'a/b' } })).resolves.not.toHaveProperty('secret')
  })

  test('answers not_found for a secret that does not exist', async ({ call }) => {
    await expect(call(id, { params: { type: 'custom', name: 'nobody' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('is done once when ten requests ask for it at once, and leaves one entry in the audit log', async ({ api, call, sendAs }) => {
    await call('secrets.secret.create', { body: { name: 'contended' } })
    const remove = async () => (await sendAs(api.adminKey, id, { params: { type: 'custom', name: 'contended' } })).status
    const statuses = await Promise.all(Array.from({ length: 10 }, remove))
    expect(tally(statuses)).toEqual({ 204: 1, 404: 9 })
    await expect(api.house.db.auditEntry.count({ where: { operation: id, target: 'custom/contended' } })).resolves.toBe(1)
  })

  test.for([...badPathLabels, 'a'.repeat(251)].map((name) => [brief(name), name] as const))('refuses %s as a name in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'DELETE', `/v1/secrets/custom/${name}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
  })
})
