import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { createStream } from '../support/streams.ts'

const id = 'mentos.stream.delete'

describe(id, () => {
  test('answers 204 without a body, and the name is free again', async ({ api, sendAs, call }) => {
    await createStream(api, 'short-lived')
    const response = await sendAs(api.adminKey, id, { params: { name: 'short-lived' } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await expect(call('mentos.stream.read', { params: { name: 'short-lived' } })).rejects.toMatchObject({ status: 404 })
    await createStream(api, 'short-lived')
  })

  test('answers not_found for a name that nothing has, and 412 for a version that is not there', async ({ api, sendAs, call }) => {
    await expect(call(id, { params: { name: 'nobody' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await createStream(api, 'versioned')
    expect((await sendAs(api.adminKey, id, { params: { name: 'versioned' }, headers: { 'If-Match': '"2"' } })).status).toBe(412)
  })

  test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
    await createStream(api, 'contended')
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await sendAs(api.adminKey, id, { params: { name: 'contended' } })).status))
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
  })
})
