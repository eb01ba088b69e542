import { afterAll, beforeAll, describe, expect } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { grants, type Scope } from '../../src/contract/scopes.ts'
import { randomText } from '../../src/platform/ids.ts'
import { startApi, test, type RunningApi } from '../support/api.ts'
import { expectProblem } from '../support/problems.ts'
import { requestText } from '../support/rawRequest.ts'
import { guardedOperations, samplePath } from '../support/table.ts'
import { exchange } from '../support/wire.ts'

const policies = '/v1/gonogo/policies'
const unknownKey = `svc_${'0'.repeat(32)}_${randomText(32)}`
/** Every scope that an operation can ask for. */
const scopes = grants.filter((grant): grant is Scope => grant !== 'admin' && !grant.endsWith(':*'))

interface NewKey {
  readonly id: string
  readonly key: string
}

async function newKey(api: RunningApi, body: object, key = api.adminKey): Promise<NewKey> {
  const response = await fetch(`${api.url}/v1/secrets/apikeys`, { method: 'POST', headers: { 'Authorization': `svc ${key}`, 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  expect(response.status).toBe(201)
  return (await response.json()) as NewKey
}

const list = (api: RunningApi, authorization: string | null) => exchange(api.url, requestText(api, `GET ${policies}`, { Authorization: authorization }))
const statusOf = async (api: RunningApi, key: string): Promise<number> => (await list(api, `svc ${key}`)).status

describe('every operation but the public ones', () => {
  test.for(guardedOperations.map(([id, operation]) => [id, operation] as const))('%s wants a key', async ([, operation], { api }) => {
    for (const authorization of [null, 'svc', api.adminKey, `Bearer ${api.adminKey}`, `Basic ${Buffer.from(`svc:${api.adminKey}`).toString('base64')}`, `svc ${unknownKey}`, `svc ${api.adminKey}x`]) {
      const answer = await exchange(api.url, requestText(api, `${operation.method} ${samplePath(operation)}`, { 'Authorization': authorization, 'Content-Length': '0' }))
      await expectProblem(answer, 'unauthorized')
      expect(answer.headers['www-authenticate']).toBe('svc')
    }
  })

  describe('wants a scope', () => {
    const keys = new Map<string, string>()
    const keyWith = async (api: RunningApi, held: readonly string[]): Promise<string> => {
      const name = held.join(' ')
      if (!keys.has(name)) keys.set(name, (await newKey(api, { scopes: held })).key)
      return keys.get(name) ?? ''
    }

    test.for(guardedOperations.map(([id, operation]) => [id, operation.scope, operation] as const))('%s: %s and no other', async ([, scope, operation], { api }) => {
      const send = async (held: readonly string[]) => {
        const key = await keyWith(api, held)
        return exchange(api.url, requestText(api, `${operation.method} ${samplePath(operation)}`, { 'Authorization': `svc ${key}`, 'Content-Length': '0' }))
      }
      const problem = await expectProblem(await send(scopes.filter((one) => one !== scope && one !== operation.ownScope)), 'forbidden')
      expect(problem['scope']).toBe(scope)
      const allowed = await send([scope])
      expect(allowed.status).not.toBe(401)
      expect(allowed.body).not.toContain('"code":"forbidden"')
    })
  })

  test('is most of the table, and the public ones are few and known', () => {
    expect(operationList.filter(([, { scope }]) => scope === 'public').map(([id]) => id).toSorted()).toEqual(['system.health.read', 'system.openapi.read', 'system.readiness.read'])
    expect(guardedOperations.length).toBeGreaterThan(100)
  })

  test('the public ones need no key, and mind no wrong one', async ({ api }) => {
    for (const path of ['/healthz', '/readyz', '/v1/openapi.json']) {
      for (const authorization of [null, 'nonsense', `svc ${unknownKey}`]) {
        const wire = await fetch(api.url + path, authorization === null ? {} : { headers: { Authorization: authorization } })
        expect(wire.status).toBe(200)
        await wire.text()
      }
    }
  })

  test.for(['/metrics', '/ops/queues', '/ops/queues/api/queues', '/v1/nothing'])('%s is not open either', async (path, { api }) => {
    expect((await exchange(api.url, requestText(api, `GET ${path}`, { Authorization: null }))).status).toBeOneOf([401, 404])
  })
})

describe('the Authorization header', () => {
  test.for(['svc', 'SVC', 'Svc', 'svc  ', 'sVc'])('takes the scheme word %j in any case', async (word, { api }) => {
    expect((await list(api, `${word} ${api.adminKey}`)).status).toBe(200)
  })

  // KEY stands for the admin key, A and B for its two halves.
  test.for([
    'svc\tKEY', 'svc: KEY', 'svc "KEY"', 'svc KEY KEY', 'svc KEY,', 'svcx KEY', 'xsvc KEY', 'KEY', 'svc A', 'svc B', 'svc BA', 'svc AKEY', 'svc A_', 'svc é', 'svc ..', "svc '--", 'svc svc_', `svc ${'x'.repeat(1001)}`, `svc${' '.repeat(8_000)}x y`,
  ])('%s is refused', async (form, { api }) => {
    const [, a = '', b = ''] = /^(.{40})(.+)$/.exec(api.adminKey) ?? []
    const answer = await list(api, form.replaceAll('KEY', '\u0001').replaceAll('A', a).replaceAll('B', b).replaceAll('\u0001', api.adminKey))
    await expectProblem(answer, 'unauthorized')
    expect(answer.body).not.toContain(b)
  })

  test('the first of two is the one that counts', async ({ api }) => {
    const twice = (first: string, second: string) => exchange(api.url, `GET ${policies} HTTP/1.1\nHost: quern\nAuthorization: svc ${first}\nAuthorization: svc ${second}\n\n`)
    expect((await twice(unknownKey, api.adminKey)).status).toBe(401)
    expect((await twice(api.adminKey, unknownKey)).status).toBe(200)
  })

  test('a refusal does not tell a wrong secret from an unknown key', async ({ api }) => {
    const wrongSecret = await list(api, `svc ${api.adminKey.slice(0, 37)}${randomText(32)}`)
    const unknown = await list(api, `svc ${unknownKey}`)
    const said = ({ body }: { body: string }) => ({ ...(JSON.parse(body) as object), requestId: '' })
    expect(said(wrongSecret)).toEqual(said(unknown))
  })
})

describe('a key', () => {
  test('that has expired is refused', async ({ api }) => {
    const { key } = await newKey(api, { expiresAt: new Date(Date.now() + 1_500).toISOString() })
    expect(await statusOf(api, key)).toBe(200)
    await expect.poll(() => statusOf(api, key), { timeout: 3_000 }).toBe(401)
  })

  test('that is deleted stops working within two seconds, also in another process', async ({ api }) => {
    const other = await startApi(api.settings)
    const { id, key } = await newKey(api, {})
    expect([await statusOf(api, key), await statusOf(other, key)]).toEqual([200, 200])
    expect((await exchange(api.url, requestText(api, `DELETE /v1/secrets/apikeys/${id}`))).status).toBe(204)
    const deletedAt = performance.now()
    await expect.poll(() => Promise.all([statusOf(api, key), statusOf(other, key)]), { timeout: 2_000, interval: 50 }).toEqual([401, 401])
    expect(performance.now() - deletedAt).toBeLessThan(2_000)
    await other.close()
  })

  test('is known in another process at once', async ({ api }) => {
    const other = await startApi(api.settings)
    const { key } = await newKey(api, {})
    expect(await statusOf(other, key)).toBe(200)
    await other.close()
  })

  test('with a whole area may read and write it, and nothing else', async ({ api }) => {
    const { key } = await newKey(api, { scopes: ['policies:*'] })
    const send = async (line: string) => (await exchange(api.url, requestText(api, line, { 'Authorization': `svc ${key}`, 'Content-Length': '0' }))).status
    expect(await send(`GET ${policies}`)).toBe(200)
    expect(await send(`POST ${policies}`)).toBe(400)
    expect(await send('GET /v1/secrets/apikeys')).toBe(403)
    expect(await send('GET /v1/sirp/query')).toBe(403)
  })

  test.for([
    [['secrets:write'], ['secrets:write'], 201],
    [['secrets:write'], undefined, 201],
    [['secrets:write'], ['secrets:read'], 403],
    [['secrets:write'], ['secrets:*'], 403],
    [['secrets:write'], ['admin'], 403],
    [['secrets:write'], ['secrets:write', 'policies:read'], 403],
    [['secrets:*'], ['secrets:read', 'secrets:write', 'secrets:*'], 201],
    [['secrets:read', 'secrets:write'], ['secrets:*'], 201],
    [['secrets:*', 'queries:*'], ['queries:read'], 201],
    [['secrets:*', 'queries:*'], ['browser:run'], 403],
    [['admin'], ['admin', 'ops:*'], 201],
  ] as const)('that holds %j asks for %j and gets a %i', async ([held, wanted, status], { api }) => {
    const { key } = await newKey(api, { scopes: held })
    const response = await fetch(`${api.url}/v1/secrets/apikeys`, { method: 'POST', headers: { 'Authorization': `svc ${key}`, 'Content-Type': 'application/json' }, body: JSON.stringify({ scopes: wanted }) })
    expect(response.status).toBe(status)
    if (status === 201) expect(await response.json()).toMatchObject({ scopes: wanted ?? held })
    else await expectProblem(response, 'forbidden')
  })

  test('that tries more than it may leaves a mark in the audit log', async ({ api }) => {
    const { id, key } = await newKey(api, { scopes: ['policies:read'] })
    expect((await exchange(api.url, requestText(api, `POST ${policies}`, { 'Authorization': `svc ${key}`, 'Content-Length': '0' }))).status).toBe(403)
    expect(await api.house.db.auditEntry.findMany({ where: { actor: id } })).toMatchObject([{ operation: 'gonogo.policy.create', outcome: 'forbidden' }])
  })
})

describe('settings', () => {
  const bootstrapKey = 'a key of no special form'.replaceAll(' ', '-').padEnd(40, '!')
  let api: RunningApi
  beforeAll(async () => (api = await startApi({ AUTH_SCHEME: 'Bearer', BOOTSTRAP_API_KEY: bootstrapKey })))
  afterAll(() => api.close())

  test('give a first key that works from the first request on, whenever its storing is done', async () => {
    expect((await list(api, `Bearer ${api.adminKey}`)).status).toBe(200)
  })

  test('choose another scheme word', async () => {
    expect((await list(api, `Bearer ${api.adminKey}`)).status).toBe(200)
    expect((await list(api, `bearer ${api.adminKey}`)).status).toBe(200)
    const answer = await list(api, `svc ${api.adminKey}`)
    expect((await expectProblem(answer, 'unauthorized')).detail).toContain('Bearer <API_KEY>')
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('give the first key, in whatever form', async () => {
    expect(api.adminKey).toBe(bootstrapKey)
    for (const wrong of [bootstrapKey.slice(0, -1), `${bootstrapKey}!`, bootstrapKey.toUpperCase()]) expect((await list(api, `Bearer ${wrong}`)).status).toBe(401)
    const rows = await api.house.db.apiKey.findMany()
    expect(JSON.stringify(rows)).not.toContain(bootstrapKey)
    expect(rows).toMatchObject([{ scopes: ['admin'] }])
  })
  test('give a first key that can be withdrawn while the process lives', async () => {
    const row = await api.house.db.apiKey.findFirstOrThrow()
    await api.house.db.apiKey.delete({ where: { id: row.id } })
    await expect.poll(async () => (await list(api, `Bearer ${bootstrapKey}`)).status, { timeout: 5_000, interval: 100 }).toBe(401)
    expect(await api.house.db.apiKey.count()).toBe(0)
  })
})
