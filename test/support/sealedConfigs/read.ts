import { describe, expect } from 'vitest'
import { mask } from '../../../src/contract/schemas.ts'
import { test } from '../api.ts'
import { brief } from '../labels.ts'
import { expectProblem } from '../problems.ts'
import { sendPath } from '../rawPath.ts'
import { badPathNames, goodNames } from './names.ts'
import { createConfig, draftOf, type SealedKind } from './records.ts'

/** What reading a record with a sealed config does, whichever kind it is. */
export function describeSealedRead(kind: SealedKind): void {
  const id = `secrets.${kind}.read` as const

  describe(id, () => {
    test('answers the record as it was created, secrets masked, with its version as ETag', async ({ api, sendAs }) => {
      const record = await createConfig(api, kind, draftOf(kind, 'whole'))
      const response = await sendAs(api.adminKey, id, { params: { name: 'whole' } })
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"1"')
      expect(await response.json()).toEqual(record)
      expect(record).toMatchObject(draftOf(kind, 'whole', { accessKeyId: mask, secretAccessKey: mask }))
    })

    test.for(goodNames[kind].map((name) => [brief(name), name] as const))('answers not_found for %s, which nothing has', async ([, name], { api, sendAs }) => {
      await expectProblem(await sendAs(api.adminKey, id, { params: { name } }), 'not_found')
    })

    test('tells names apart by case', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'Case'))
      await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'case' } }), 'not_found')
    })

    test.for(badPathNames[kind].map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
      const { status, body } = await sendPath(api, 'GET', `/v1/secrets/${kind}s/${name}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/name', in: 'path' }] })
    })

    test('answers the schemas under their own route', async ({ api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { params: { name: 'schemas' } })
      expect(await response.json()).toMatchObject({ items: expect.any(Array) as unknown, total: expect.any(Number) as unknown })
    })
  })
}
