import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { createTemplate } from '../support/templates.ts'

const id = 'sirp.template.read'

describe(id, () => {
  test('answers the whole record with its version as ETag', async ({ api, sendAs }) => {
    const record = await createTemplate(api, 'whole', { templateSchema: { properties: { a: {} } } })
    const response = await sendAs(api.adminKey, id, { params: { id: record.id } })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual(record)
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test.for(['x', '1', 'first rows', `${unknownId}0`])('refuses %j, which is no id', async (wrong, { call }) => {
    await expect(call(id, { params: { id: wrong } })).rejects.toMatchObject({ status: 400, problem: { errors: [{ path: '/id', in: 'path' }] } })
  })
})
