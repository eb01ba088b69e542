import { describe, expect } from 'vitest'
import { manifestTypeNames } from '../../src/contract/secrets/storeTypes/index.ts'
import { test } from '../support/api.ts'
import { badFileNames, goodFileNames } from '../support/cellar.ts'
import { brief } from '../support/labels.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { addManifest, manifestDraft, someHash } from '../support/manifests.ts'
import { expectProblem } from '../support/problems.ts'
import { tally } from '../support/tally.ts'

const id = 'sirp.cellarManifest.add'

describe(id, () => {
  test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
    const draft = {
      ...manifestDraft('first one'),
      screenshots: [[someHash], [someHash.toUpperCase(), 'front', 1, null, { a: [1] }]],
      attributesContext: { visible: ['title', 'a.0.b'], renderers: { title: 'text', '': '' }, extra: { kept: [1, 'x', null] } },
    }
    const response = await sendAs(api.adminKey, id, { body: draft })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('/v1/sirp/cellar/manifests/first%20one')
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual({
      ...draft,
      screenshots: [[someHash], [someHash, 'front', 1, null, { a: [1] }]],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      touchedAt: null,
      errors: { count: 0, touchedAt: null },
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  test('takes a draft without the optional fields, also where its store does not exist', async ({ api }) => {
    expect(await addManifest(api, 'plain', { store: 'no such store' })).toMatchObject({ store: 'no such store', screenshots: [], attributesContext: null })
  })

  test('takes each of the 28 types', async ({ api }) => {
    expect(manifestTypeNames).toHaveLength(28)
    for (const type of manifestTypeNames) expect(await addManifest(api, `of ${type}`, { type })).toMatchObject({ type })
  })

  test.for(goodFileNames.map((name) => [brief(name), name] as const))('takes %s as a name, and its address reads it back', async ([, name], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: manifestDraft(name) })
    expect(response.status).toBe(201)
    const read = await fetch(new URL(response.headers.get('location') ?? '', api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
    expect(await read.json()).toMatchObject({ name })
  })

  test.for([...badFileNames, 1, null, ['a']].map((name) => [brief(name), name] as const))('refuses %s as a name of a manifest or a store', async ([, name], { api, sendAs }) => {
    const asName = await expectProblem(await sendAs(api.adminKey, id, { body: manifestDraft(name) }), 'validation_failed')
    expect(asName.errors).toMatchObject([{ path: '/name' }])
    const asStore = await expectProblem(await sendAs(api.adminKey, id, { body: { ...manifestDraft('of a bad store'), store: name } }), 'validation_failed')
    expect(asStore.errors).toMatchObject([{ path: '/store' }])
  })

  const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item)

  test.for<[string, object, string]>([
    ['a type that stores have and manifests do not', { type: 'hdfs' }, '/type'],
    ['an unknown type', { type: 'File' }, '/type'],
    ['no type', { type: undefined }, '/type'],
    ['no store', { store: undefined }, '/store'],
    ['screenshots that are no list', { screenshots: someHash }, '/screenshots'],
    ['a screenshot that is no list', { screenshots: [someHash] }, '/screenshots/0'],
    ['an empty screenshot', { screenshots: [[someHash], []] }, '/screenshots/1'],
    ['a hash that is too short', { screenshots: [[someHash.slice(1)]] }, '/screenshots/0'],
    ['a hash that is too long', { screenshots: [[`${someHash}0`]] }, '/screenshots/0'],
    ['a hash that is not hexadecimal', { screenshots: [['g'.repeat(64)]] }, '/screenshots/0'],
    ['a hash behind its place', { screenshots: [[1, someHash]] }, '/screenshots/0'],
    ['too many items of a screenshot', { screenshots: [[someHash, ...many(100, 1)]] }, '/screenshots/0'],
    ['too many screenshots', { screenshots: many(10_001, [someHash]) }, '/screenshots'],
    ['a context that is no object', { attributesContext: [] }, '/attributesContext'],
    ['a context that is null', { attributesContext: null }, '/attributesContext'],
    ['visible columns that are no list', { attributesContext: { visible: 'title' } }, '/attributesContext/visible'],
    ['a visible column that is no text', { attributesContext: { visible: ['a', 1] } }, '/attributesContext/visible/1'],
    ['a blank visible column', { attributesContext: { visible: [''] } }, '/attributesContext/visible/0'],
    ['too many visible columns', { attributesContext: { visible: many(10_001, 'a') } }, '/attributesContext/visible'],
    ['renderers that are a list', { attributesContext: { renderers: ['a'] } }, '/attributesContext/renderers'],
    ['a renderer that is no text', { attributesContext: { renderers: { 'a\nb': 1 } } }, '/attributesContext/renderers/a\nb'],
    ['a renderer that is too long', { attributesContext: { renderers: { a: 'x'.repeat(1001) } } }, '/attributesContext/renderers/a'],
    ['an unknown field', { note: 'x' }, '/note'],
    ['a field of the record', { touchedAt: null }, '/touchedAt'],
  ])('refuses %s and says where', async ([, fields, path], { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, id, { body: { ...manifestDraft('refused'), ...fields } }), 'validation_failed')
    expect(errors).toMatchObject([{ path }])
  })

  test('takes as much as the limits allow', async ({ api }) => {
    const { screenshots, attributesContext } = await addManifest(api, 'large', {
      screenshots: [[someHash, ...many(99, 1)], ...many(9_999, [someHash])],
      attributesContext: { visible: many(10_000, 'a'), renderers: { a: 'x'.repeat(1000) } },
    })
    expect([screenshots.length, screenshots[0]?.length, attributesContext?.visible?.length]).toEqual([10_000, 100, 10_000])
  })

  test('adds one manifest when twenty requests ask for one name at once', async ({ api, sendAs }) => {
    const add = async () => (await sendAs(api.adminKey, id, { body: manifestDraft('contended') })).status
    expect(tally(await Promise.all(Array.from({ length: 20 }, add)))).toEqual({ 201: 1, 409: 19 })
    await expectProblem(await sendAs(api.adminKey, id, { body: manifestDraft('contended') }), 'conflict')
  })

  test('answers a repeat with the same Idempotency-Key with the record that is there', async ({ api, sendAs }) => {
    const again = () => sendAs(api.adminKey, id, { body: manifestDraft('once'), headers: { 'Idempotency-Key': 'manifest-once' } })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
  })

  test('asks for the scope cellar:write', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:read'), id, { body: manifestDraft('x') }), 'forbidden')
  })
})
