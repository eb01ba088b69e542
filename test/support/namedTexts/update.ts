import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { badPathLabels, brief } from '../labels.ts'
import { sendPath } from '../rawPath.ts'
import { tally } from '../tally.ts'
import { badTexts, createNamedText, goodTexts, type NamedText, type NamedTextRecord } from './records.ts'

/** What updating a named text does, whichever kind it is. */
export function describeNamedTextUpdate(kind: NamedText): void {
  const id = `secrets.${kind}.update` as const
  const read = `secrets.${kind}.read` as const

  describe(id, () => {
    test('replaces the text, keeps the name and counts the version up', async ({ api, sendAs }) => {
      const before = await createNamedText(api, kind, 'changing/1', 'old')
      const response = await sendAs(api.adminKey, id, { params: { name: before.name }, body: { [kind]: 'new' } })
      const after = (await response.json()) as NamedTextRecord
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"2"')
      expect(after).toEqual({ ...before, [kind]: 'new', version: 2, updatedAt: after.updatedAt })
      expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
      expect(await (await sendAs(api.adminKey, read, { params: { name: before.name } })).json()).toEqual(after)
    })

    test('takes every text that a new record may have', async ({ api, sendAs }) => {
      await createNamedText(api, kind, 'texts')
      for (const text of goodTexts) {
        const response = await sendAs(api.adminKey, id, { params: { name: 'texts' }, body: { [kind]: text } })
        expect(await response.json()).toMatchObject({ [kind]: text })
      }
    })

    test('refuses wrong texts and unknown fields, the name among them, and changes nothing', async ({ api, sendAs }) => {
      const before = await createNamedText(api, kind, 'steady')
      const refused = async (body: unknown, path: string) => {
        const response = await sendAs(api.adminKey, id, { params: { name: 'steady' }, body })
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({ errors: [{ path }] })
      }
      for (const text of badTexts) await refused({ [kind]: text }, `/${kind}`)
      await refused({}, `/${kind}`)
      await refused({ [kind]: 'x', name: 'other' }, '/name')
      expect(await (await sendAs(api.adminKey, read, { params: { name: 'steady' } })).json()).toEqual(before)
    })

    test('answers not_found for a name that nothing has, and creates nothing', async ({ api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { params: { name: 'nobody' }, body: { [kind]: 'x' } })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
      expect((await sendAs(api.adminKey, read, { params: { name: 'nobody' } })).status).toBe(404)
    })

    test('lets one of ten changes of the same version through and refuses the others', async ({ api, sendAs }) => {
      await createNamedText(api, kind, 'contended')
      const change = (text: string) => sendAs(api.adminKey, id, { params: { name: 'contended' }, body: { [kind]: text }, headers: { 'If-Match': '"1"' } })
      const statuses = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await change(`text ${index}`)).status))
      expect(tally(statuses)).toEqual({ 200: 1, 412: 9 })
      const stale = await change('late')
      expect(stale.status).toBe(412)
      expect(await stale.json()).toMatchObject({ code: 'precondition_failed' })
    })

    test.for(badPathLabels.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
      const { status, body } = await sendPath(api, 'PUT', `/v1/secrets/${kind}s/${name}`, { [kind]: 'x' })
      expect(status).toBe(400)
      expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
    })
  })
}
