import { describe, expect } from 'vitest'
import { mask } from '../../../src/contract/schemas.ts'
import { test } from '../api.ts'
import { expectProblem } from '../problems.ts'
import { createConfig, draftOf, openSealed, type ConfigRecord, type SealedKind } from './records.ts'

/** What updates of a record with a sealed config do when they meet others, whichever kind it is. */
export function describeSealedContention(kind: SealedKind): void {
  const id = `secrets.${kind}.update` as const
  const login = { accessKeyId: mask, secretAccessKey: mask }

  describe(`${id} at the same time as others`, () => {
    test('changes only the version that If-Match names', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'versioned'))
      const update = (tag: string) => sendAs(api.adminKey, id, { params: { name: 'versioned' }, body: draftOf(kind, 'versioned'), headers: { 'If-Match': tag } })
      for (const tag of ['"2"', '"0"', 'W/"1"', '1', '"1", "2"']) await expectProblem(await update(tag), 'precondition_failed')
      for (const tag of ['"1"', '*', '"3"']) expect((await update(tag)).status).toBe(200)
      expect((await expectProblem(await update('"1"'), 'precondition_failed')).detail).toContain('version 4')
    })

    test('lets one of ten changes of the same version through and refuses the others', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'contended'))
      const update = (region: string) =>
        sendAs(api.adminKey, id, { params: { name: 'contended' }, body: draftOf(kind, 'contended', login, region), headers: { 'If-Match': '"1"' } })
      const statuses = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await update(`region-${index}`)).status))
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
    })

    test('makes all of twenty unconditional changes, one after the other, and loses no secret', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'busy'))
      const update = (region: string) => sendAs(api.adminKey, id, { params: { name: 'busy' }, body: draftOf(kind, 'busy', login, region) })
      const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => update(`region-${index}`)))
      const records = (await Promise.all(responses.map((response) => response.json()))) as ConfigRecord[]
      expect(records.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2))
      const last = records.find(({ version }) => version === 21)
      const sealed = JSON.stringify(await openSealed(api, kind, 'busy'))
      expect(sealed.replaceAll(/some-(?:id|secret)/g, mask)).toBe(JSON.stringify(last?.config))
    })

    test('gives one of ten records the name that all of them ask for', async ({ api, sendAs }) => {
      const names = Array.from({ length: 10 }, (_, index) => `candidate ${index}`)
      for (const name of names) await createConfig(api, kind, draftOf(kind, name))
      const rename = async (name: string) => (await sendAs(api.adminKey, id, { params: { name }, body: draftOf(kind, 'the one', login) })).status
      expect((await Promise.all(names.map(rename))).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    })

    test('answers conflict to two records that ask for each other’s name', async ({ api, sendAs }) => {
      for (const name of ['left', 'right']) await createConfig(api, kind, draftOf(kind, name))
      const rename = (from: string, to: string) => sendAs(api.adminKey, id, { params: { name: from }, body: draftOf(kind, to, login) })
      for (const response of await Promise.all([rename('left', 'right'), rename('right', 'left')])) await expectProblem(response, 'conflict')
    })

    test('never leaves a secret that cannot be opened when the record is deleted and made anew meanwhile', async ({ api, sendAs }) => {
      await createConfig(api, kind, draftOf(kind, 'replaced'))
      const body = draftOf(kind, 'replaced')
      const replace = async () => {
        await sendAs(api.adminKey, `secrets.${kind}.delete`, { params: { name: 'replaced' } })
        return sendAs(api.adminKey, `secrets.${kind}.create`, { body })
      }
      for (let round = 0; round < 10; round += 1) {
        const update = () => sendAs(api.adminKey, id, { params: { name: 'replaced' }, body })
        const [created, ...updated] = await Promise.all([replace(), update(), update(), update()])
        expect(created.status).toBe(201)
        for (const { status } of updated) expect([200, 404]).toContain(status)
        expect(await openSealed(api, kind, 'replaced')).toEqual(body.config)
      }
    })
  })
}
