import { createClient } from '../../src/client/index.ts'
import { describe, expect, onTestFinished } from 'vitest'
import { send } from '../../src/client/index.ts'
import { startApi, test, unknownId, type RunningApi } from '../support/api.ts'
import { generateKey } from '../support/limitedKey.ts'
import { badIds } from '../support/policies.ts'
import { expectProblem } from '../support/problems.ts'

const operation = 'secrets.apiKey.delete'

/** An API whose admin keys no other test touches. */
async function ownApi(): Promise<RunningApi> {
  const api = await startApi()
  onTestFinished(() => api.close())
  return api
}

const remove = ({ url }: RunningApi, apiKey: string, id: string): Promise<Response> => send({ baseUrl: url, apiKey }, operation, { params: { id } })

describe(operation, () => {
  test('answers 204, after which the key is unknown', async ({ api, sendAs }) => {
    const { id, key } = await generateKey(api, { scopes: ['policies:read'] })
    const response = await remove(api, api.adminKey, id)
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await expectProblem(await sendAs(key, 'gonogo.policy.list'), 'unauthorized')
    await expectProblem(await sendAs(api.adminKey, 'secrets.apiKey.read', { params: { id } }), 'not_found')
    await expectProblem(await remove(api, api.adminKey, id), 'not_found')
    expect(await api.house.db.auditEntry.findMany({ where: { target: id, operation } })).toMatchObject([{ outcome: 'done' }])
  })

  test('ends a key that is in use at once in its own process, and within two seconds in every other', async ({ api, sendAs }) => {
    const { id, key } = await generateKey(api, { scopes: ['policies:read'] })
    const second = await startApi(api.settings)
    onTestFinished(() => second.close())
    const statusAt = async ({ url }: RunningApi) => (await send({ baseUrl: url, apiKey: key }, 'gonogo.policy.list', {})).status
    expect([await statusAt(api), await statusAt(second)]).toEqual([200, 200])
    expect((await sendAs(api.adminKey, operation, { params: { id } })).status).toBe(204)
    expect(await statusAt(api)).toBe(401)
    await expect.poll(async () => [await statusAt(api), await statusAt(second)], { timeout: 2_000, interval: 50 }).toEqual([401, 401])
  })

  test('lets a key delete itself', async ({ api }) => {
    const { id, key } = await generateKey(api, { scopes: ['secrets:write'] })
    expect((await remove(api, key, id)).status).toBe(204)
  })

  test('answers not_found for an id that nothing has, also to thirty requests at once', async ({ api }) => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => remove(api, api.adminKey, unknownId)))
    for (const response of responses) await expectProblem(response, 'not_found')
  })

  test.for([...badIds, 'verify'])('refuses %j as an id', async (id, { api }) => {
    const { errors } = await expectProblem(await remove(api, api.adminKey, id), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/id', in: 'path' }])
  })

  test('needs a key that may write secrets', async ({ api }) => {
    const { id, key } = await generateKey(api, { scopes: ['secrets:read', 'queries:*'] })
    await expectProblem(await remove(api, key, id), 'forbidden')
  })
})

describe(`${operation} and the last admin key`, () => {
  test('keeps the last admin key that does not expire, and lets it go once there is another', async () => {
    const api = await ownApi()
    const { id } = await api.house.db.apiKey.findFirstOrThrow()
    await generateKey(api, { scopes: ['admin'], expiresAt: '2999-01-01T00:00:00Z' })
    await generateKey(api, { scopes: ['secrets:*', 'users:*', 'ops:*'] })
    expect((await expectProblem(await remove(api, api.adminKey, id), 'conflict')).detail).toContain('generate another one first')
    expect(await api.house.db.apiKey.count({ where: { id } })).toBe(1)
    const other = await generateKey(api, { scopes: ['admin'] })
    expect((await remove(api, api.adminKey, id)).status).toBe(204)
    await expectProblem(await remove(api, other.key, other.id), 'conflict')
  })

  test('deletes other keys while there is only one admin key', async () => {
    const api = await ownApi()
    const expiring = await generateKey(api, { expiresAt: '2999-01-01T00:00:00Z' })
    const limited = await generateKey(api, { scopes: ['secrets:*'] })
    for (const { id } of [expiring, limited]) expect((await remove(api, api.adminKey, id)).status).toBe(204)
  })

  test('leaves one of the last admin keys when all of them are deleted at once', async () => {
    const api = await ownApi()
    let survivor = { id: (await api.house.db.apiKey.findFirstOrThrow()).id, key: api.adminKey }
    for (let round = 0; round < 5; round += 1) {
      const admins = [survivor, await generateKey(api, { scopes: ['admin'] }, survivor.key), await generateKey(api, { scopes: ['admin'] }, survivor.key)]
      const responses = await Promise.all(admins.map(({ id, key }) => remove(api, key, id)))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 204, 409])
      survivor = admins[responses.findIndex(({ status }) => status === 409)] ?? survivor
      expect(await api.house.db.apiKey.findMany()).toMatchObject([{ id: survivor.id, scopes: ['admin'] }])
    }
  })

  test('leaves alone a key that may do more than the one it is asked with', async ({ api, call }) => {
    const { key } = await call('secrets.apiKey.generate', { body: { scopes: ['secrets:write'] } })
    const { id } = await call('secrets.apiKey.generate', { body: { scopes: ['queries:read'] } })
    const weak = createClient({ baseUrl: api.url, apiKey: key })
    await expect(weak('secrets.apiKey.delete', { params: { id } })).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    await expect(call('secrets.apiKey.read', { params: { id } })).resolves.toMatchObject({ id })
  })
})
