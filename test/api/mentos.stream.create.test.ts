import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badLabels, brief, goodLabels } from '../support/labels.ts'
import { streamDraft } from '../support/streams.ts'

const id = 'mentos.stream.create'

describe(id, () => {
  test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
    const streamConfig = { store: 'a store.v1', format: 'csv', batch: { rows: 1, bytes: 2, ms: 3 }, processors: ['limit 3', 'count'], ordered: true }
    const response = await sendAs(api.adminKey, id, { body: streamDraft('first/1', streamConfig) })
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'first/1',
      streamConfig,
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(response.headers.get('location')).toBe('/v1/mentos/streams/first%2F1')
    expect(response.headers.get('etag')).toBe('"1"')
  })

  test('takes a store that does not exist yet, and nothing but the store', async ({ call }) => {
    expect(await call(id, { body: { name: 'early', streamConfig: { store: 'no such store' } } })).toMatchObject({ streamConfig: { store: 'no such store' } })
  })

  test.for(goodLabels(1000).map((name) => [brief(name), name] as const))('takes %s as a name, and its address reads it back', async ([, name], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: streamDraft(name) })
    expect(response.status).toBe(201)
    const read = await fetch(new URL(response.headers.get('location') ?? '', api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
    expect(read.status).toBe(200)
    expect(await read.json()).toMatchObject({ name })
  })

  test.for(badLabels(1000).map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: streamDraft(name) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/name' }] })
  })

  test.for<[unknown, string]>([
    [undefined, ''],
    [null, ''],
    ['warehouse', ''],
    [{}, '/store'],
    [{ store: '..' }, '/store'],
    [{ store: 'a/b' }, '/store'],
    [{ store: 'a', format: 'xml' }, '/format'],
    [{ store: 'a', batch: { rows: 0 } }, '/batch/rows'],
    [{ store: 'a', batch: { size: 1 } }, '/batch/size'],
    [{ store: 'a', processors: 'limit 3' }, '/processors'],
    [{ store: 'a', processors: [''] }, '/processors/0'],
    [{ store: 'a', ordered: 'yes' }, '/ordered'],
    [{ store: 'a', target: 'b' }, '/target'],
  ])('refuses %j as the config and names the field', async ([streamConfig, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { name: 'wrong config', streamConfig } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: `/streamConfig${path}` }] })
  })

  test('refuses an unknown field and names it', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { ...streamDraft('extra'), config: {} } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: '/config', message: 'is not a known field' }] })
  })

  test('creates one stream when twenty requests ask for one name at once', async ({ api, sendAs }) => {
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await sendAs(api.adminKey, id, { body: streamDraft('contended') })).status))
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect(await (await sendAs(api.adminKey, id, { body: streamDraft('contended') })).json()).toMatchObject({ code: 'conflict' })
  })
})
