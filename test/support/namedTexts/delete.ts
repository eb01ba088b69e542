import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { badPathLabels, brief } from '../labels.ts'
import { sendPath } from '../rawPath.ts'
import { tally } from '../tally.ts'
import { createNamedText, type NamedText } from './records.ts'

/** What deleting a named text does, whichever kind it is. */
export function describeNamedTextDelete(kind: NamedText): void {
  const id = `secrets.${kind}.delete` as const

  describe(id, () => {
    test('answers 204, after which the record is gone and its name free', async ({ api, sendAs }) => {
      const { id: firstId } = await createNamedText(api, kind, 'a/b')
      const response = await sendAs(api.adminKey, id, { params: { name: 'a/b' } })
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
      expect((await sendAs(api.adminKey, `secrets.${kind}.read`, { params: { name: 'a/b' } })).status).toBe(404)
      const again = await createNamedText(api, kind, 'a/b')
      expect(again.id).not.toBe(firstId)
    })

    test('answers not_found for a name that nothing has', async ({ api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { params: { name: 'nobody' } })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    })

    test('deletes only the version that If-Match names', async ({ api, sendAs }) => {
      await createNamedText(api, kind, 'kept')
      const remove = (version: number) => sendAs(api.adminKey, id, { params: { name: 'kept' }, headers: { 'If-Match': `"${version}"` } })
      const stale = await remove(2)
      expect(stale.status).toBe(412)
      expect(await stale.json()).toMatchObject({ code: 'precondition_failed' })
      expect((await remove(1)).status).toBe(204)
    })

    test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
      await createNamedText(api, kind, 'contended')
      const remove = async () => (await sendAs(api.adminKey, id, { params: { name: 'contended' } })).status
      const statuses = await Promise.all(Array.from({ length: 10 }, remove))
      expect(tally(statuses)).toEqual({ 204: 1, 404: 9 })
    })

    test.for(badPathLabels.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
      const { status, body } = await sendPath(api, 'DELETE', `/v1/secrets/${kind}s/${name}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
    })
  })
}
