import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { everyText } from '../everyText.ts'
import { brief } from '../labels.ts'
import { expectProblem } from '../problems.ts'
import { sendPath } from '../rawPath.ts'
import { badPathNames } from './names.ts'
import { createConfig, draftOf, type SealedKind } from './records.ts'

/** What deleting a record with a sealed config does, whichever kind it is. */
export function describeSealedDelete(kind: SealedKind): void {
  const id = `secrets.${kind}.delete` as const

  describe(id, () => {
    test('answers 204, after which the record and what it sealed are gone, and the name is free', async ({ api, sendAs }) => {
      const first = await createConfig(api, kind, draftOf(kind, 'gone'))
      const response = await sendAs(api.adminKey, id, { params: { name: 'gone' } })
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
      await expectProblem(await sendAs(api.adminKey, `secrets.${kind}.read`, { params: { name: 'gone' } }), 'not_found')
      expect(await everyText(api.house)).not.toContain('aws')
      const again = await createConfig(api, kind, draftOf(kind, 'gone'))
      expect(again.id).not.toBe(first.id)
      expect(again.version).toBe(1)
    })

    test('answers not_found for a name that nothing has, also to thirty requests at once', async ({ api, sendAs }) => {
      const responses = await Promise.all(Array.from({ length: 30 }, () => sendAs(api.adminKey, id, { params: { name: 'nobody' } })))
      for (const response of responses) await expectProblem(response, 'not_found')
    })

    test('deletes only the version that If-Match names', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'kept'))
      const remove = (tag: string) => sendAs(api.adminKey, id, { params: { name: 'kept' }, headers: { 'If-Match': tag } })
      for (const tag of ['"2"', '"0"', 'W/"1"', '1', '"x"']) await expectProblem(await remove(tag), 'precondition_failed')
      expect((await remove('"1"')).status).toBe(204)
    })

    test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'contended'))
      const remove = async () => (await sendAs(api.adminKey, id, { params: { name: 'contended' } })).status
      const statuses = await Promise.all(Array.from({ length: 10 }, remove))
      expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
    })

    test.for(badPathNames[kind].map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
      const { status, body } = await sendPath(api, 'DELETE', `/v1/secrets/${kind}s/${name}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
    })
  })
}
