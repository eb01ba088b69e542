import { describe, expect } from 'vitest'
import { mask } from '../../../src/contract/schemas.ts'
import { test } from '../api.ts'
import { everyText, spellingsOf } from '../everyText.ts'
import { brief } from '../labels.ts'
import { limitedKey } from '../limitedKey.ts'
import { expectProblem } from '../problems.ts'
import { fillSecrets, maskedText } from './fillSecrets.ts'
import { badNames, goodNames, reservedNames } from './names.ts'
import { createConfig, draftOf, loginPath, openSealed, otherDraftOf, registryOf, type ConfigRecord, type SealedKind } from './records.ts'

/** What creating a record with a sealed config does, whichever kind it is. */
export function describeSealedCreate(kind: SealedKind): void {
  const id = `secrets.${kind}.create` as const

  describe(id, () => {
    test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
      const draft = draftOf(kind, 'first')
      const response = await sendAs(api.adminKey, id, { body: draft })
      const record = (await response.json()) as ConfigRecord
      expect(response.status).toBe(201)
      expect(Object.keys(record).toSorted()).toEqual(['config', 'createdAt', 'id', 'name', 'type', 'updatedAt', 'version'])
      expect(record).toMatchObject({ name: 'first', type: draft.type, version: 1 })
      expect(response.headers.get('location')).toBe(`/v1/secrets/${kind}s/first`)
      expect(response.headers.get('etag')).toBe('"1"')
    })

    test('names the new record and its creator in the audit log', async ({ api }) => {
      const { id: target } = await createConfig(api, kind, draftOf(kind, 'audited'))
      const entries = await api.house.db.auditEntry.findMany({ where: { target } })
      expect(entries).toMatchObject([{ operation: id, outcome: 'done', actor: (await api.house.db.apiKey.findFirstOrThrow()).id }])
    })

    test.for(Object.keys(registryOf[kind]))('takes the example of %s', async (type, { api, sendAs }) => {
      const example = registryOf[kind][type]?.example as Record<SealedKind, object>
      const config = { ...example, [kind]: { name: `example of ${type}` } }
      const response = await sendAs(api.adminKey, id, { body: { type, config } })
      expect(response.status).toBe(201)
      expect(await openSealed(api, kind, `example of ${type}`)).toEqual(config)
    })

    test.for(Object.entries(registryOf[kind]))('masks every secret of %s, changes nothing else, and stores none in clear', async ([type, entry], { api, sendAs }) => {
      const filled = fillSecrets(entry)
      Object.assign(filled.config, { [kind]: { name: `full ${type}` } })
      const response = await sendAs(api.adminKey, id, { body: { type, config: filled.config } })
      const { config } = (await response.json()) as ConfigRecord
      expect(response.status).toBe(201)
      expect(JSON.stringify(config)).toBe(maskedText(filled))
      expect(await openSealed(api, kind, `full ${type}`)).toEqual(filled.config)
      const kept = `${await everyText(api.house)}\n${api.logLines.join('\n')}`
      for (const spelling of filled.secrets.flatMap(spellingsOf)) expect(kept).not.toContain(spelling)
    })

    test.for(goodNames[kind].map((name) => [brief(name), name] as const))('takes %s as a name, and its address reads it back', async ([, name], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: draftOf(kind, name) })
      expect(response.status).toBe(201)
      const read = await fetch(new URL(response.headers.get('location') ?? '', api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
      expect(await read.json()).toMatchObject({ name, config: { [kind]: { name } } })
    })

    test.for(badNames[kind].map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
      const { errors } = await expectProblem(await sendAs(api.adminKey, id, { body: draftOf(kind, name) }), 'validation_failed')
      expect(errors).toMatchObject([{ path: `/config/${kind}/name` }])
    })

    test.for(reservedNames[kind])('says that %s is reserved', async (name, { api, sendAs }) => {
      const { errors } = await expectProblem(await sendAs(api.adminKey, id, { body: draftOf(kind, name) }), 'validation_failed')
      expect(errors?.[0]?.message).toContain(`must not be ${reservedNames[kind].join(' or ')}`)
    })

    test('answers conflict for a name that is taken, whatever its type, and keeps the first record', async ({ api, sendAs }) => {
      const first = await createConfig(api, kind, draftOf(kind, 'taken'))
      const { detail } = await expectProblem(await sendAs(api.adminKey, id, { body: otherDraftOf(kind, 'taken', 's') }), 'conflict')
      expect(detail).toContain('"taken"')
      expect(await (await sendAs(api.adminKey, `secrets.${kind}.read`, { params: { name: 'taken' } })).json()).toEqual(first)
      await createConfig(api, kind, draftOf(kind, 'Taken'))
    })

    test('creates one record when twenty requests ask for one name at once', async ({ api, sendAs }) => {
      for (const letter of ['k', 'l', 'm', 'n']) {
        const body = draftOf(kind, letter.repeat(1000))
        const responses = await Promise.all(Array.from({ length: 20 }, () => sendAs(api.adminKey, id, { body })))
        const statuses = responses.map(({ status }) => status)
        expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
      }
    })

    test('answers a repeat with the same Idempotency-Key with the record that is there, and keeps that answer sealed', async ({ api, sendAs }) => {
      const login = { accessKeyId: 'once-only-id', secretAccessKey: 'once-only-secret' }
      const again = () => sendAs(api.adminKey, id, { body: draftOf(kind, 'once', login), headers: { 'Idempotency-Key': `${kind}-once` } })
      const [first, second] = [await again(), await again()]
      expect([first.status, second.status]).toEqual([201, 201])
      expect(await second.json()).toEqual(await first.json())
      expect(await everyText(api.house)).not.toContain('once-only')
    })

    test('takes secrets from 1 to 100000 characters, and refuses others without quoting them', async ({ api, sendAs }) => {
      const send = (name: string, secretAccessKey: unknown) => sendAs(api.adminKey, id, { body: draftOf(kind, name, { accessKeyId: 'a', secretAccessKey }) })
      for (const [index, secret] of ['s', '😀'.repeat(100_000), ' \n"\\ \u202e '].entries()) {
        expect((await send(`right secret ${index}`, secret)).status).toBe(201)
        expect(JSON.stringify(await openSealed(api, kind, `right secret ${index}`))).toContain(JSON.stringify(secret))
      }
      for (const secret of ['', 'quoted'.repeat(16_667), 4_711_001, null, true, ['quoted'], { quoted: 'quoted' }]) {
        const problem = await expectProblem(await send('wrong secret', secret), 'validation_failed')
        expect(problem.errors).toMatchObject([{ path: `${loginPath[kind]}/secretAccessKey` }])
        expect(JSON.stringify(problem)).not.toMatch(/quoted|4711001/)
      }
    })

    test('refuses the mask itself as a secret, because nothing is stored yet', async ({ api, sendAs }) => {
      const body = draftOf(kind, 'masked', { accessKeyId: mask, secretAccessKey: 's', sessionToken: mask })
      const { errors } = await expectProblem(await sendAs(api.adminKey, id, { body }), 'validation_failed')
      const message = expect.stringContaining('send the secret itself') as string
      expect(errors).toEqual([{ path: `${loginPath[kind]}/accessKeyId`, message }, { path: `${loginPath[kind]}/sessionToken`, message }])
      expect((await sendAs(api.adminKey, `secrets.${kind}.read`, { params: { name: 'masked' } })).status).toBe(404)
    })

    test('needs a key that may write', async ({ api, sendAs }) => {
      const reader = await limitedKey(api, 'secrets:read', 'stores:read', 'queries:*')
      const problem = await expectProblem(await sendAs(reader, id, { body: draftOf(kind, 'forbidden') }), 'forbidden')
      expect(problem).toMatchObject({ scope: kind === 'store' ? 'stores:write' : 'secrets:write' })
    })
  })
}
