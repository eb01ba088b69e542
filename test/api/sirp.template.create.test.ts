import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badLabels, brief, goodLabels } from '../support/labels.ts'
import { createTemplate, templateDraft, type TemplateRecord } from '../support/templates.ts'

const id = 'sirp.template.create'
const templateSchema = { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] }

describe(id, () => {
  test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { ...templateDraft('first'), templateSchema } })
    const record = (await response.json()) as TemplateRecord
    expect(response.status).toBe(201)
    expect(record).toEqual({
      ...templateDraft('first'),
      templateSchema,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(response.headers.get('location')).toBe(`/v1/sirp/templates/${record.id}`)
    expect(response.headers.get('etag')).toBe('"1"')
  })

  test('answers null for a schema that was not given', async ({ api }) => {
    expect((await createTemplate(api, 'without a schema')).templateSchema).toBeNull()
  })

  test.for(goodLabels(1000).map((name) => [brief(name), name] as const))('takes %s as a name', async ([, name], { api }) => {
    expect((await createTemplate(api, name)).name).toBe(name)
  })

  test.for(badLabels(1000).map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: templateDraft(name) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/name' }] })
  })

  test.for([
    ['description', 100_000],
    ['query', 1_048_576],
  ] as const)('takes a %s of 1 to %d characters, and no other', async ([field, most], { api, sendAs }) => {
    for (const text of ['x', '😀'.repeat(most), ' \n']) expect(await createTemplate(api, `${field} ${text.length}`, { [field]: text })).toMatchObject({ [field]: text })
    for (const text of ['', 'x'.repeat(most + 1), '😀'.repeat(most + 1), 1, null]) {
      const response = await sendAs(api.adminKey, id, { body: { ...templateDraft('refused'), [field]: text } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: `/${field}` }] })
    }
  })

  test('names the fields that are missing and the one that is unknown', async ({ api, sendAs }) => {
    const missing = await sendAs(api.adminKey, id, { body: {} })
    expect(missing.status).toBe(400)
    expect(await missing.json()).toMatchObject({ errors: ['/name', '/description', '/query'].map((path) => ({ path, message: 'is required' })) })
    const unknown = await sendAs(api.adminKey, id, { body: { ...templateDraft('extra'), schema: {} } })
    expect(unknown.status).toBe(400)
    expect(await unknown.json()).toMatchObject({ errors: [{ path: '/schema', message: 'is not a known field' }] })
  })

  test.for<[string, unknown, string]>([
    ['text', 'object', ''],
    ['a list', [], ''],
    ['null', null, ''],
    ['nothing that says object', {}, '/type'],
    ['another type', { type: 'string' }, '/type'],
    ['an unknown keyword', { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } }, '/properties/x/pattern'],
    ['a reference', { $ref: '#', type: 'object' }, '/$ref'],
    ['a wrong limit', { type: 'object', properties: { 'a/b': { minimum: 'low' } } }, '/properties/a~1b/minimum'],
  ])('refuses %s as a schema and says where', async ([, schema, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { ...templateDraft('refused'), templateSchema: schema } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: `/templateSchema${path}` }] })
  })

  test('keeps a schema in its order, whatever its fields are called', async ({ api, sendAs }) => {
    const text = '{"title":"z","properties":{"zebra":{"default":{"$type":"Raw","value":"[]"}},"apple":{"examples":[1,null,{"b":1,"a":2}]},"":{},"toJSON":{}},"required":["apple"]}'
    const { id: created } = await createTemplate(api, 'in order', { templateSchema: JSON.parse(text) as unknown })
    const read = (await (await sendAs(api.adminKey, 'sirp.template.read', { params: { id: created } })).json()) as TemplateRecord
    expect(JSON.stringify(read.templateSchema)).toBe(text)
  })

  test('creates one template when twenty requests ask for one name at once', async ({ api, sendAs }) => {
    const name = '名'.repeat(1000)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await sendAs(api.adminKey, id, { body: templateDraft(name) })).status))
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    const response = await sendAs(api.adminKey, id, { body: templateDraft(name) })
    expect(await response.json()).toMatchObject({ code: 'conflict' })
  })

  test('answers a repeat with the same Idempotency-Key with the template that is there', async ({ api, sendAs }) => {
    const again = () => sendAs(api.adminKey, id, { body: templateDraft('once'), headers: { 'Idempotency-Key': 'template-once' } })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
  })
})
