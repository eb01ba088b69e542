import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { badLabels, brief, goodLabels } from '../labels.ts'
import { badTexts, draftOf, goodTexts, type NamedText, type NamedTextRecord } from './records.ts'

/** What creating a named text does, whichever kind it is. */
export function describeNamedTextCreate(kind: NamedText): void {
  const id = `secrets.${kind}.create` as const

  describe(id, () => {
    test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: draftOf(kind, 'first', 'some text') })
      const record = (await response.json()) as NamedTextRecord
      expect(response.status).toBe(201)
      expect(record).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'first',
        [kind]: 'some text',
        version: 1,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      })
      expect(response.headers.get('location')).toBe(`/v1/secrets/${kind}s/first`)
      expect(response.headers.get('etag')).toBe('"1"')
    })

    test.for(goodTexts.map((text) => [brief(text), text] as const))('keeps the text %s as it is', async ([, text], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: draftOf(kind, `text ${brief(text).replaceAll(/\W/g, '')} ${text.length}`, text) })
      expect(response.status).toBe(201)
      expect(await response.json()).toMatchObject({ [kind]: text })
    })

    test.for(badTexts.map((text) => [brief(text), text] as const))('refuses %s as a text and says where', async ([, text], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: draftOf(kind, 'refused text', text) })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: `/${kind}` }] })
    })

    test.for(goodLabels(1000).map((name) => [brief(name), name] as const))('takes %s as a name, and its address reads it back', async ([, name], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: draftOf(kind, name) })
      expect(response.status).toBe(201)
      const location = response.headers.get('location') ?? ''
      const read = await fetch(new URL(location, api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
      expect(read.status).toBe(200)
      expect(await read.json()).toMatchObject({ name })
    })

    test.for(badLabels(1000).map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: draftOf(kind, name) })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/name' }] })
    })

    test('names the field that is missing and the one that is unknown', async ({ api, sendAs }) => {
      const missing = await sendAs(api.adminKey, id, { body: { name: 'lonely' } })
      expect(missing.status).toBe(400)
      expect(await missing.json()).toMatchObject({ errors: [{ path: `/${kind}`, message: 'is required' }] })
      const unknown = await sendAs(api.adminKey, id, { body: { ...draftOf(kind, 'extra'), note: 'x' } })
      expect(unknown.status).toBe(400)
      expect(await unknown.json()).toMatchObject({ errors: [{ path: '/note', message: 'is not a known field' }] })
    })

    test('creates one record when twenty requests ask for one name at once', async ({ api, sendAs }) => {
      const name = '名'.repeat(1000)
      const responses = await Promise.all(Array.from({ length: 20 }, () => sendAs(api.adminKey, id, { body: draftOf(kind, name) })))
      const codes = await Promise.all(responses.map(async (response) => ((await response.json()) as { code?: string }).code))
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(codes.filter((code) => code === 'conflict')).toHaveLength(19)
    })

    test('answers a repeat with the same Idempotency-Key with the record that is there', async ({ api, sendAs }) => {
      const again = () => sendAs(api.adminKey, id, { body: draftOf(kind, 'once'), headers: { 'Idempotency-Key': `${kind}-once` } })
      const [first, second] = [await again(), await again()]
      expect([first.status, second.status]).toEqual([201, 201])
      expect(await second.json()).toEqual(await first.json())
    })
  })
}
