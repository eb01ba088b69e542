import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { generateKey, limitedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const id = 'audit.entry.list'

describe(id, () => {
  test('shows who changed what, newest first and page by page', async ({ api, call, sendAs }) => {
    const { house, adminKey } = api
    const { id: actor } = await house.db.apiKey.findFirstOrThrow({ where: { name: 'first key' } })
    const headers = { 'X-Request-Id': 'the-first' }
    const policy = await call('gonogo.policy.create', { body: { name: 'polite', domain: 'shop.example', policy: {} }, headers })
    await call('gonogo.policy.delete', { params: { id: policy.id } })
    const limited = await generateKey(api, { scopes: ['queries:read'] })
    expect((await sendAs(limited.key, 'gonogo.policy.delete', { params: { id: unknownId } })).status).toBe(403)

    const { items, total } = await call(id)
    expect(total).toBe(4)
    expect(items.map((entry) => [entry.actor, entry.action, entry.target, entry.outcome])).toEqual([
      [limited.id, 'gonogo.policy.delete', `/v1/gonogo/policies/${unknownId}`, 'forbidden'],
      [actor, 'secrets.apiKey.generate', limited.id, 'done'],
      [actor, 'gonogo.policy.delete', policy.id, 'done'],
      [actor, 'gonogo.policy.create', policy.id, 'done'],
    ])
    expect(items.at(-1)).toMatchObject({ requestId: 'the-first', intact: true, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
    await expectPaging((query) => sendAs(adminKey, id, { query }), items)
    await expectPageBounds((query) => sendAs(adminKey, id, { query }))
  })

  test('filters by actor, action, target and time', async ({ api, call, sendAs }) => {
    const { key, id: actor } = await generateKey(api, { scopes: ['policies:*'] })
    const body = { name: 'filtered', domain: 'filtered.example', policy: {} }
    const target = ((await (await sendAs(key, 'gonogo.policy.create', { body })).json()) as { id: string }).id // of a policy that was created
    await call('gonogo.policy.delete', { params: { id: target } })
    const found = async (query: Record<string, string>) => (await call(id, { query })).items.map(({ action }) => action)

    expect(await found({ actor })).toEqual(['gonogo.policy.create'])
    expect(await found({ target })).toEqual(['gonogo.policy.delete', 'gonogo.policy.create'])
    expect(await found({ target, action: 'gonogo.policy.delete' })).toEqual(['gonogo.policy.delete'])
    const [deleted] = (await call(id, { query: { target } })).items
    const at = deleted?.createdAt ?? ''
    const after = new Date(Date.parse(at) + 1).toISOString()
    expect(await found({ target, from: at, to: after })).toContain('gonogo.policy.delete')
    expect(await found({ target, from: after })).toEqual([])
    expect(await found({ actor: "nobody' OR true" })).toEqual([])
    await expectProblem(await sendAs(api.adminKey, id, { query: { from: 'yesterday' } }), 'validation_failed')
    await expectProblem(await sendAs(api.adminKey, id, { query: { from: '2030-12-31T23:59:60Z' } }), 'validation_failed')
  })

  test('tells an entry that was changed, and the one behind an entry that was taken out', async ({ api, call }) => {
    const { pool } = api.house
    for (const name of ['a', 'b', 'c', 'd']) await call('secrets.prompt.create', { body: { name, prompt: 'p' } })
    const prompts = { query: { action: 'secrets.prompt.create' } }
    const [, c, b] = (await call(id, prompts)).items
    const tamper = (statement: string) => pool.query(`BEGIN; ALTER TABLE audit_log DISABLE TRIGGER USER; ${statement}; ALTER TABLE audit_log ENABLE TRIGGER USER; COMMIT`)
    await tamper(`UPDATE audit_log SET at = 'infinity' WHERE seq = ${c?.id}; DELETE FROM audit_log WHERE seq = ${b?.id}`)
    expect((await call(id, prompts)).items.map(({ intact }) => intact)).toEqual([true, false, true])
    await tamper(`DELETE FROM audit_log WHERE seq = ${c?.id}`)
    expect((await call(id, prompts)).items.map(({ intact }) => intact)).toEqual([false, true])
  })

  test('needs a key with the scope ops:read', async ({ api, sendAs }) => {
    expect((await fetch(`${api.url}/v1/audit`)).status).toBe(401)
    expect((await sendAs(await limitedKey(api, 'ops:write'), id)).status).toBe(403)
    expect((await sendAs(await limitedKey(api, 'ops:read'), id)).status).toBe(200)
  })
})
