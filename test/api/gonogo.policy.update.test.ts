import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { badLabels, brief, goodLabels } from '../support/labels.ts'
import { badIds, createPolicy, policyFor, type PolicyRecord } from '../support/policies.ts'
import { expectProblem } from '../support/problems.ts'

const operation = 'gonogo.policy.update'

describe(operation, () => {
  test('replaces the whole record and counts the version up: a window left out is not limited any more', async ({ api, sendAs }) => {
    const before = await createPolicy(api, 'whole.example')
    const body = { name: 'strict', domain: 'other.example', policy: { perMinute: 5 } }
    const response = await sendAs(api.adminKey, operation, { params: { id: before.id }, body })
    const after = (await response.json()) as PolicyRecord
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"2"')
    expect(after).toEqual({ ...before, ...body, version: 2, updatedAt: after.updatedAt })
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
    expect(await (await sendAs(api.adminKey, 'gonogo.policy.read', { params: { id: before.id } })).json()).toEqual(after)
  })

  test('keeps numbers as they are given, and numeric text as its number', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'numbers.example')
    const update = async (policy: object) => ((await (await sendAs(api.adminKey, operation, { params: { id }, body: policyFor('numbers.example', policy) })).json()) as PolicyRecord).policy
    expect(await update({ perSecond: 0, perTenSeconds: 1, perMinute: 1_000_000_000 })).toEqual({ perSecond: 0, perTenSeconds: 1, perMinute: 1_000_000_000 })
    expect(await update({ perSecond: '0', perTenSeconds: '007', perMinute: '1000000000' })).toEqual({ perSecond: 0, perTenSeconds: 7, perMinute: 1_000_000_000 })
    expect(await update({})).toEqual({})
  })

  test.for([-1, 1.5, 1_000_000_001, '1000000001', '-1', '1.5', '1e3', ' 5', '', null, true, [1]])('refuses %j as a rate and says where', async (rate, { api, sendAs }) => {
    const body = policyFor('rate.example', { perTenSeconds: rate })
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { params: { id: unknownId }, body }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/policy/perTenSeconds' }])
  })

  test('answers conflict for a domain that another policy has, however it is spelled, and changes nothing', async ({ api, sendAs }) => {
    const mine = await createPolicy(api, 'mine.example')
    await createPolicy(api, 'yöurs.example')
    for (const domain of ['yöurs.example', 'YÖURS.example.', 'xn--yurs-5qa.example']) {
      const response = await sendAs(api.adminKey, operation, { params: { id: mine.id }, body: policyFor(domain) })
      expect((await expectProblem(response, 'conflict')).detail).toContain('xn--yurs-5qa.example')
    }
    expect(await (await sendAs(api.adminKey, 'gonogo.policy.read', { params: { id: mine.id } })).json()).toEqual(mine)
  })

  test('takes its own domain again in another spelling', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'same.example')
    const response = await sendAs(api.adminKey, operation, { params: { id }, body: policyFor('SAME.Example.') })
    expect(await response.json()).toMatchObject({ domain: 'same.example', version: 2 })
  })

  test.for(['https://a.example', 'a.example:80', 'a.example/x', '*.a.example', 'a b', 'a..b', '-a.example', '.', '', 'a'.repeat(1000), 'a'.repeat(1001), 1, null])(
    'refuses %j as a domain with the reason',
    async (domain, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, operation, { params: { id: unknownId }, body: { ...policyFor(''), domain } })
      expect((await expectProblem(response, 'validation_failed')).errors).toMatchObject([{ path: '/domain' }])
    },
  )

  test('takes every name that a new record may have', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'named.example')
    for (const name of goodLabels(1000)) {
      const response = await sendAs(api.adminKey, operation, { params: { id }, body: { ...policyFor('named.example'), name } })
      expect(await response.json()).toMatchObject({ name })
    }
  })

  test.for(badLabels(1000).map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, operation, { params: { id: unknownId }, body: { ...policyFor('a.example'), name } })
    expect((await expectProblem(response, 'validation_failed')).errors).toMatchObject([{ path: '/name' }])
  })

  test('names the fields that are missing or unknown', async ({ api, sendAs }) => {
    const faults = async (body: unknown) => (await expectProblem(await sendAs(api.adminKey, operation, { params: { id: unknownId }, body }), 'validation_failed')).errors
    expect(await faults({})).toMatchObject([{ path: '/name', message: 'is required' }, { path: '/domain' }, { path: '/policy' }])
    expect(await faults({ ...policyFor('a.example'), id: unknownId })).toMatchObject([{ path: '/id', message: 'is not a known field' }])
    expect(await faults(policyFor('a.example', { perHour: 1 }))).toMatchObject([{ path: '/policy/perHour', message: 'is not a known field' }])
    expect(await faults(policyFor('a.example', []))).toMatchObject([{ path: '/policy' }])
  })

  test('answers not_found for an id that nothing has, also to thirty requests at once, and creates nothing', async ({ api, sendAs }) => {
    const update = () => sendAs(api.adminKey, operation, { params: { id: unknownId }, body: policyFor('nobody.example') })
    for (const response of await Promise.all(Array.from({ length: 30 }, update))) await expectProblem(response, 'not_found')
    expect(await api.house.db.policy.count({ where: { domain: 'nobody.example' } })).toBe(0)
  })

  test.for(badIds)('refuses %j as an id', async (id, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { params: { id }, body: policyFor('a.example') }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/id', in: 'path' }])
  })
})

describe(`${operation} at the same time as others`, () => {
  test('changes only the version that If-Match names', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'versioned.example')
    const update = (tag: string) => sendAs(api.adminKey, operation, { params: { id }, body: policyFor('versioned.example'), headers: { 'If-Match': tag } })
    for (const tag of ['"2"', 'W/"1"', '1']) await expectProblem(await update(tag), 'precondition_failed')
    for (const tag of ['"1"', '*', '"3"']) expect((await update(tag)).status).toBe(200)
    expect((await expectProblem(await update('"1"'), 'precondition_failed')).detail).toContain('version 4')
  })

  test('lets one of ten changes of the same version through and refuses the others', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'contended.example')
    const update = (perSecond: number) =>
      sendAs(api.adminKey, operation, { params: { id }, body: policyFor('contended.example', { perSecond }), headers: { 'If-Match': '"1"' } })
    const statuses = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await update(index)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
  })

  test('makes all of twenty unconditional changes, one after the other', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'busy.example')
    const update = (perSecond: number) => sendAs(api.adminKey, operation, { params: { id }, body: policyFor('busy.example', { perSecond }) })
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => update(index)))
    const versions = await Promise.all(responses.map(async (response) => ((await response.json()) as PolicyRecord).version))
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2))
  })

  test('gives one of ten policies the domain that all of them ask for', async ({ api, sendAs }) => {
    const records = await Promise.all(Array.from({ length: 10 }, (_, index) => createPolicy(api, `candidate-${index}.example`)))
    const move = async ({ id }: PolicyRecord) => (await sendAs(api.adminKey, operation, { params: { id }, body: policyFor('wanted.example') })).status
    expect((await Promise.all(records.map(move))).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })
})
