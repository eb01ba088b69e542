import { describe, expect } from 'vitest'
import { send } from '../../src/client/index.ts'
import { operationList, type OperationId } from '../../src/contract/index.ts'
import { verifyChain } from '../../src/services/audit.ts'
import { engineOf } from '../../src/services/notBuilt.ts'
import { test as base } from '../support/api.ts'
import type { RunningApi } from '../support/api.ts'
import { test } from '../support/licenses.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { bodyOf, lives, type Answered, type Mutation } from '../support/mutations.ts'

/** Operations that change something and yet need no call here, each with its reason. */
const exceptions: Partial<Record<OperationId, string>> = {
  'sirp.query.dispatchWait': 'waits for a worker; the tests of the operation read its entry',
  'sirp.template.dispatchWait': 'waits for a worker; the tests of the operation read its entry',
}

const changing = operationList.filter(([id, { method, pure }]) => method !== 'GET' && !pure && engineOf(id) === undefined).map(([id]) => id)

interface Entry {
  readonly operation: string
  readonly actor: string
  readonly target: string | null
  readonly outcome: string
  readonly requestId: string
}

const readEntries = async ({ house }: RunningApi): Promise<Entry[]> => {
  const select = { operation: true, actor: true, target: true, outcome: true, requestId: true } as const
  return house.db.auditEntry.findMany({ orderBy: { seq: 'asc' }, select })
}

/** Calls an operation that must succeed, and answers its record with the entries that it left. */
async function callAndRead(api: RunningApi, mutation: Mutation, record: Answered) {
  await mutation.before?.(api)
  const before = (await readEntries(api)).length
  const input = { params: { ...record, ...mutation.params }, body: await bodyOf(mutation, record), ...(mutation.headers ? { headers: mutation.headers } : {}) }
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, mutation.id, input)
  const text = await response.text()
  expect([mutation.id, response.status, text]).toEqual([mutation.id, expect.toBeOneOf([200, 201, 202, 204]), text])
  const answered = text === '' ? {} : (JSON.parse(text) as Answered)
  return { answered, requestId: response.headers.get('x-request-id') ?? '', left: (await readEntries(api)).slice(before) }
}

describe('the audit trail', () => {
  test('has a call here of every operation that is built and changes something', () => {
    const called = lives.flatMap(({ begin, after }) => [begin, ...after]).map(({ id }) => id)
    expect([...called, ...(Object.keys(exceptions) as OperationId[])].toSorted()).toEqual(changing.toSorted())
  })

  test.for(lives)('gets one entry from $begin.id and one from each call after it, complete', async (life, { api }) => {
    const { id: actor } = await api.house.db.apiKey.findFirstOrThrow({ where: { name: 'first key' } })
    let record: Answered = {}
    for (const mutation of [life.begin, ...life.after]) {
      const { answered, requestId, left } = await callAndRead(api, mutation, record)
      expect(left).toEqual([{ operation: mutation.id, actor, target: expect.stringMatching(/./) as string, outcome: 'done', requestId }])
      if (mutation === life.begin) record = answered
    }
    expect(await verifyChain(api.house.pool)).toMatchObject({ ok: true })
  })
})

describe('the audit trail of requests that change nothing', () => {
  const draft = { name: 'polite', domain: 'shop.example', policy: {} }

  base('gets no entry from reads, from requests that are refused, and from repeats of an idempotent one', async ({ api, call, sendAs }) => {
    const headers = { 'Idempotency-Key': 'once' }
    await call('gonogo.policy.create', { body: draft, headers })
    const before = await readEntries(api)
    expect(before).toHaveLength(1)
    await call('gonogo.policy.create', { body: draft, headers })
    await call('gonogo.policy.list')
    await call('secrets.apiKey.verify', { body: { key: 'svc_unknown' } })
    const refused = [
      await sendAs(api.adminKey, 'gonogo.policy.create', { body: draft }),
      await sendAs(api.adminKey, 'gonogo.policy.create', { body: {} }),
      await sendAs(api.adminKey, 'gonogo.policy.delete', { params: { id: '00000000-0000-4000-8000-000000000000' } }),
      await sendAs('svc_nobody', 'gonogo.policy.create', { body: draft }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 400, 404, 401])
    expect(await readEntries(api)).toEqual(before)
  })

  base('gets one entry from a change that the key does not allow, and none from a read', async ({ api, sendAs }) => {
    const key = await limitedKey(api, 'queries:read')
    const before = (await readEntries(api)).length
    expect((await sendAs(key, 'gonogo.policy.list')).status).toBe(403)
    expect((await sendAs(key, 'gonogo.policy.create', { body: draft })).status).toBe(403)
    const entry = { operation: 'gonogo.policy.create', target: '/v1/gonogo/policies', outcome: 'forbidden' }
    expect((await readEntries(api)).slice(before)).toEqual([expect.objectContaining(entry)])
  })
})
