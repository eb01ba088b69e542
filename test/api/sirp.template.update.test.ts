import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { badLabels } from '../support/labels.ts'
import { createTemplate, type TemplateRecord } from '../support/templates.ts'

const id = 'sirp.template.update'

describe(id, () => {
  test('changes the fields that are given, keeps the others and counts the version up', async ({ api, sendAs }) => {
    const before = await createTemplate(api, 'changing', { templateSchema: { properties: { a: {} } } })
    const response = await sendAs(api.adminKey, id, { params: { id: before.id }, body: { query: 'range 5' } })
    const after = (await response.json()) as TemplateRecord
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"2"')
    expect(after).toEqual({ ...before, query: 'range 5', version: 2, updatedAt: after.updatedAt })
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
  })

  test('takes an empty body, which changes nothing but the version', async ({ api, call }) => {
    const before = await createTemplate(api, 'untouched')
    const after = await call(id, { params: { id: before.id }, body: {} })
    expect(after).toEqual({ ...before, version: 2, updatedAt: after.updatedAt })
  })

  test('renames, to its own name as well, but not to a name that another one has', async ({ api, call }) => {
    const { id: one } = await createTemplate(api, 'one')
    await createTemplate(api, 'other')
    expect(await call(id, { params: { id: one }, body: { name: 'renamed' } })).toMatchObject({ name: 'renamed' })
    expect(await call(id, { params: { id: one }, body: { name: 'renamed' } })).toMatchObject({ name: 'renamed', version: 3 })
    await expect(call(id, { params: { id: one }, body: { name: 'other' } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
    expect(await call('sirp.template.read', { params: { id: one } })).toMatchObject({ name: 'renamed', version: 3 })
  })

  test('lets one of two templates have a name that both ask for at once', async ({ api, sendAs }) => {
    const records = await Promise.all(Array.from({ length: 8 }, (_, index) => createTemplate(api, `rival ${index}`)))
    const statuses = await Promise.all(records.map(async (record) => (await sendAs(api.adminKey, id, { params: { id: record.id }, body: { name: 'the name' } })).status))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  })

  test('refuses wrong and unknown fields, the schema among them, and changes nothing', async ({ api, sendAs, call }) => {
    const before = await createTemplate(api, 'steady')
    const refused = async (body: unknown, path: string) => {
      const response = await sendAs(api.adminKey, id, { params: { id: before.id }, body })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path }] })
    }
    for (const name of badLabels(1000)) await refused({ name }, '/name')
    for (const text of ['', 'x'.repeat(100_001), null]) await refused({ description: text }, '/description')
    for (const text of ['', 'x'.repeat(1_048_577), null]) await refused({ query: text }, '/query')
    await refused({ templateSchema: { type: 'object' } }, '/templateSchema')
    await refused({ version: 7 }, '/version')
    expect(await call('sirp.template.read', { params: { id: before.id } })).toEqual(before)
  })

  test('lets one of ten changes of the same version through and refuses the others', async ({ api, sendAs }) => {
    const { id: contended } = await createTemplate(api, 'contended')
    const change = async (query: string) => (await sendAs(api.adminKey, id, { params: { id: contended }, body: { query }, headers: { 'If-Match': '"1"' } })).status
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, index) => change(`range ${index}`)))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId }, body: { name: 'x' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(call(id, { params: { id: 'x' }, body: {} })).rejects.toMatchObject({ status: 400 })
  })
})
