import { describe, expect } from 'vitest'
import { mask } from '../../../src/contract/schemas.ts'
import { test } from '../api.ts'
import { everyText } from '../everyText.ts'
import { brief } from '../labels.ts'
import { expectProblem } from '../problems.ts'
import { sendPath } from '../rawPath.ts'
import { badPathNames, reservedNames } from './names.ts'
import { createConfig, draftOf, loginPath, openSealed, otherDraftOf, otherSecretPath, type ConfigRecord, type SealedKind } from './records.ts'

const login = { accessKeyId: 'stored-id', secretAccessKey: 'stored-secret', sessionToken: 'stored-token' }
const masked = { accessKeyId: mask, secretAccessKey: mask, sessionToken: mask }

/** What updating a record with a sealed config does, whichever kind it is. */
export function describeSealedUpdate(kind: SealedKind): void {
  const id = `secrets.${kind}.update` as const
  const read = `secrets.${kind}.read` as const

  describe(id, () => {
    test('replaces the whole config, counts the version up and answers what a read answers', async ({ api, sendAs }) => {
      const before = await createConfig(api, kind, draftOf(kind, 'changing', login))
      const next = draftOf(kind, 'changing', { accessKeyId: 'new-id', secretAccessKey: 'new-secret' }, 'us-east-1')
      const response = await sendAs(api.adminKey, id, { params: { name: 'changing' }, body: next })
      const after = (await response.json()) as ConfigRecord
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"2"')
      const { config } = draftOf(kind, 'changing', { accessKeyId: mask, secretAccessKey: mask }, 'us-east-1')
      expect(after).toEqual({ ...before, config, version: 2, updatedAt: after.updatedAt })
      expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
      expect(await (await sendAs(api.adminKey, read, { params: { name: 'changing' } })).json()).toEqual(after)
      expect(await openSealed(api, kind, 'changing')).toEqual(next.config)
      expect(await everyText(api.house)).not.toMatch(/stored-|new-/)
    })

    test('keeps the stored secrets when a read is sent back, whatever else changes', async ({ api, sendAs }) => {
      const { type } = await createConfig(api, kind, draftOf(kind, 'sent back', login))
      const { config } = draftOf(kind, 'sent back', masked, 'us-west-2')
      expect((await sendAs(api.adminKey, id, { params: { name: 'sent back' }, body: { type, config } })).status).toBe(200)
      expect(await openSealed(api, kind, 'sent back')).toEqual(draftOf(kind, 'sent back', login, 'us-west-2').config)
    })

    test('keeps what is masked, changes what is given and drops what is left out', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'mixed', login))
      const body = draftOf(kind, 'mixed', { accessKeyId: mask, secretAccessKey: 'changed' })
      const response = await sendAs(api.adminKey, id, { params: { name: 'mixed' }, body })
      expect(await response.json()).toMatchObject(draftOf(kind, 'mixed', { accessKeyId: mask, secretAccessKey: mask }))
      expect(await openSealed(api, kind, 'mixed')).toEqual(draftOf(kind, 'mixed', { accessKeyId: 'stored-id', secretAccessKey: 'changed' }).config)
    })

    test('refuses a mask where no secret is stored, says where, and changes nothing', async ({ api, sendAs }) => {
      const before = await createConfig(api, kind, draftOf(kind, 'no token'))
      const response = await sendAs(api.adminKey, id, { params: { name: 'no token' }, body: draftOf(kind, 'no token', masked, 'us-east-1') })
      const { errors } = await expectProblem(response, 'validation_failed')
      expect(errors).toEqual([{ path: `${loginPath[kind]}/sessionToken`, message: expect.stringContaining('send the secret itself') as string }])
      expect(await (await sendAs(api.adminKey, read, { params: { name: 'no token' } })).json()).toEqual(before)
    })

    test('changes the type, for which masks of the old type stand for nothing', async ({ api, sendAs }) => {
      const before = await createConfig(api, kind, draftOf(kind, 'other type', login))
      const update = (secret: string) => sendAs(api.adminKey, id, { params: { name: 'other type' }, body: otherDraftOf(kind, 'other type', secret) })
      expect((await expectProblem(await update(mask), 'validation_failed')).errors).toMatchObject([{ path: otherSecretPath[kind] }])
      const after = (await (await update('fresh')).json()) as ConfigRecord
      expect(after).toMatchObject({ id: before.id, version: 2, ...otherDraftOf(kind, 'other type', mask) })
      expect(await openSealed(api, kind, 'other type')).toEqual(otherDraftOf(kind, 'other type', 'fresh').config)
    })

    test('renames the record by the name in its config, with its secrets', async ({ api, sendAs }) => {
      const before = await createConfig(api, kind, draftOf(kind, 'old name', login))
      const response = await sendAs(api.adminKey, id, { params: { name: 'old name' }, body: draftOf(kind, 'new name', masked) })
      expect(await response.json()).toMatchObject({ id: before.id, name: 'new name', version: 2, createdAt: before.createdAt })
      await expectProblem(await sendAs(api.adminKey, read, { params: { name: 'old name' } }), 'not_found')
      expect(await openSealed(api, kind, 'new name')).toEqual(draftOf(kind, 'new name', login).config)
      await createConfig(api, kind, draftOf(kind, 'old name'))
    })

    test('answers conflict for a new name that is taken, and changes neither record', async ({ api, sendAs }) => {
      const records = [await createConfig(api, kind, draftOf(kind, 'mine')), await createConfig(api, kind, draftOf(kind, 'yours'))]
      const response = await sendAs(api.adminKey, id, { params: { name: 'mine' }, body: draftOf(kind, 'yours') })
      expect((await expectProblem(response, 'conflict')).detail).toContain('"yours"')
      for (const { name, ...record } of records) expect(await (await sendAs(api.adminKey, read, { params: { name } })).json()).toEqual({ name, ...record })
    })

    test.for(reservedNames[kind])('refuses %s as a new name', async (name, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { params: { name: 'anything' }, body: draftOf(kind, name) })
      expect((await expectProblem(response, 'validation_failed')).errors).toMatchObject([{ path: `/config/${kind}/name` }])
    })

    test('answers not_found for a name that nothing has, also to thirty requests at once, and creates nothing', async ({ api, sendAs }) => {
      const update = () => sendAs(api.adminKey, id, { params: { name: 'nobody' }, body: draftOf(kind, 'nobody') })
      for (const response of await Promise.all(Array.from({ length: 30 }, update))) await expectProblem(response, 'not_found')
      await expectProblem(await sendAs(api.adminKey, read, { params: { name: 'nobody' } }), 'not_found')
    })

    test.for(badPathNames[kind].map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
      const { status, body } = await sendPath(api, 'PUT', `/v1/secrets/${kind}s/${name}`, draftOf(kind, 'fine'))
      expect(status).toBe(400)
      expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
    })
  })
}
