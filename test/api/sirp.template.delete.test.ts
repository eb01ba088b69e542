import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { createTemplate } from '../support/templates.ts'

const id = 'sirp.template.delete'

describe(id, () => {
  test('answers 204 without a body, and the name is free again', async ({ api, sendAs, call }) => {
    const record = await createTemplate(api, 'short-lived')
    const response = await sendAs(api.adminKey, id, { params: { id: record.id } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await expect(call('sirp.template.read', { params: { id: record.id } })).rejects.toMatchObject({ status: 404 })
    expect(await createTemplate(api, 'short-lived')).not.toMatchObject({ id: record.id })
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(call(id, { params: { id: 'x' } })).rejects.toMatchObject({ status: 400 })
  })

  test('deletes only the version that If-Match asks for', async ({ api, sendAs }) => {
    const record = await createTemplate(api, 'versioned')
    const remove = async (version: number) => (await sendAs(api.adminKey, id, { params: { id: record.id }, headers: { 'If-Match': `"${version}"` } })).status
    expect(await remove(2)).toBe(412)
    expect(await remove(1)).toBe(204)
  })

  test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
    const record = await createTemplate(api, 'contended')
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await sendAs(api.adminKey, id, { params: { id: record.id } })).status))
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
  })
})
