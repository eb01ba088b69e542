import { describe, expect } from 'vitest'
import { startApi, test } from '../support/api.ts'
import { createClient } from '../../src/client/index.ts'
import { createTemplate, type TemplateRecord } from '../support/templates.ts'

const id = 'sirp.template.list'

describe(id, () => {
  test('answers an empty list, then whole records in the order of their creation, page by page', async () => {
    const api = await startApi()
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    expect(await call(id)).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const records: TemplateRecord[] = []
    for (const name of ['c', 'a', 'b']) records.push(await createTemplate(api, name))
    expect(await call(id)).toEqual({ items: records, total: 3, offset: 0, limit: 100 })
    expect(await call(id, { query: { offset: 1, limit: 1 } })).toEqual({ items: records.slice(1, 2), total: 3, offset: 1, limit: 1 })
    await api.close()
  })

  test('finds names that contain the text, in capital or small letters, and takes every sign as it is', async ({ api, call }) => {
    for (const name of ['100% sure', '100 things', 'under_score', 'underXscore', 'back\\slash', 'Straße', 'BÜCHER', "O'Brien"]) await createTemplate(api, name)
    const found = async (name: string) => (await call(id, { query: { name } })).items.map((item) => item.name)
    expect(await found('100')).toEqual(['100% sure', '100 things'])
    expect(await found('%')).toEqual(['100% sure'])
    expect(await found('0% S')).toEqual(['100% sure'])
    expect(await found('_')).toEqual(['under_score'])
    expect(await found('UNDER_')).toEqual(['under_score'])
    expect(await found('\\')).toEqual(['back\\slash'])
    expect(await found('\\s')).toEqual(['back\\slash'])
    expect(await found('bücher')).toEqual(['BÜCHER'])
    expect(await found("'")).toEqual(["O'Brien"])
    expect(await found('nowhere')).toEqual([])
  })

  test('counts only what it finds', async ({ api, call }) => {
    for (const name of ['counted 1', 'counted 2', 'counted 3']) await createTemplate(api, name)
    expect(await call(id, { query: { name: 'counted', limit: 2 } })).toMatchObject({ items: [{ name: 'counted 1' }, { name: 'counted 2' }], total: 3, limit: 2 })
  })

  test('sorts by name, creation and change, upwards and downwards', async ({ api, call }) => {
    const records: TemplateRecord[] = []
    for (const name of ['sorted b', 'sorted c', 'sorted a']) records.push(await createTemplate(api, name))
    await call('sirp.template.update', { params: { id: records[0]?.id ?? '' }, body: {} })
    const sorted = async (sortBy: string) => (await call(id, { query: { name: 'sorted', sortBy } })).items.map((item) => item.name.at(-1)).join('')
    expect(await sorted('name')).toBe('abc')
    expect(await sorted('-name')).toBe('cba')
    expect(await sorted('createdAt')).toBe('bca')
    expect(await sorted('-createdAt')).toBe('acb')
    expect(await sorted('updatedAt')).toBe('cab')
    expect(await sorted('-updatedAt')).toBe('bac')
  })

  test.for([
    { sortBy: 'query' }, { sortBy: '' }, { sortBy: '--name' }, { sortBy: 'Name' }, { sortBy: '+name' }, { sortBy: 'x'.repeat(1001) }, { sortBy: 'constructor' },
    { name: '' }, { name: 'x'.repeat(1001) }, { limit: 0 }, { limit: 1001 }, { offset: -1 }, { query: 'x' },
  ])('refuses the query %j and names the parameter', async (query, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { query })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: `/${Object.keys(query)[0]}`, in: 'query' }] })
  })

  test('takes the longest name to look for, and refuses two of them', async ({ api, call }) => {
    expect(await call(id, { query: { name: '😀'.repeat(1000) } })).toMatchObject({ items: [], total: 0 })
    const twice = await fetch(`${api.url}/v1/sirp/templates?name=a&name=b`, { headers: { Authorization: `svc ${api.adminKey}` } })
    expect(twice.status).toBe(400)
  })
})
