import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { badPathLabels, brief } from '../labels.ts'
import { sendPath } from '../rawPath.ts'
import { createNamedText, type NamedText } from './records.ts'

/** What reading a named text does, whichever kind it is. */
export function describeNamedTextRead(kind: NamedText): void {
  const id = `secrets.${kind}.read` as const

  describe(id, () => {
    test('answers the whole record with its version as ETag', async ({ api, sendAs }) => {
      const record = await createNamedText(api, kind, 'a/b %2f 名', 'x'.repeat(10_000))
      const response = await sendAs(api.adminKey, id, { params: { name: record.name } })
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"1"')
      expect(await response.json()).toEqual(record)
    })

    test.for(['nobody', 'NOBODY', '%', '😀'.repeat(1000)])('answers not_found for a name that nothing has', async (name, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { params: { name } })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    })

    test('tells names apart by case', async ({ api, sendAs }) => {
      await createNamedText(api, kind, 'Case')
      expect((await sendAs(api.adminKey, id, { params: { name: 'case' } })).status).toBe(404)
    })

    test.for(badPathLabels.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
      const { status, body } = await sendPath(api, 'GET', `/v1/secrets/${kind}s/${name}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/name', in: 'path' }] })
    })
  })
}
