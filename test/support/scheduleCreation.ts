import { describe, expect } from 'vitest'
import type { Schedule } from '../../src/contract/sirp/schedules.ts'
import { test } from './api.ts'
import { brief } from './labels.ts'
import { msBetween, type ScheduleCreation } from './schedules.ts'

/** What the three ways to create a schedule have in common. */
export function describeScheduleCreation(id: ScheduleCreation): void {
  describe(id, () => {
    test('answers 201 with the record, its address and its version', async ({ api, sendAs }) => {
      const body = { query: 'range 3', minutes: 15, ttl: 60, metadata: { b: [1], a: null }, summary: true, cleanup: false }
      const response = await sendAs(api.adminKey, id, { body })
      const record = (await response.json()) as Schedule
      expect(response.status).toBe(201)
      expect(record).toEqual({
        ...body,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        queryId: record.id,
        enabled: true,
        overlap: 'skip',
        nextRunAt: new Date(Date.parse(record.createdAt) + 15 * 60_000).toISOString(),
        lastRunAt: null,
        lastQueryId: null,
        lastStatus: null,
        runs: { fired: 0, skipped: 0, failed: 0 },
        version: 1,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      })
      expect(Object.keys(record.metadata ?? {})).toEqual(['b', 'a'])
      expect(response.headers.get('location')).toBe(`/v1/sirp/schedules/${record.id}`)
      expect(response.headers.get('etag')).toBe('"1"')
    })

    test('runs every hour where no interval is given, and answers null for what was not given', async ({ api, sendAs }) => {
      const record = (await (await sendAs(api.adminKey, id, { body: { query: 'range 3' } })).json()) as Schedule
      expect(record).toMatchObject({ minutes: 60, ttl: null, metadata: null, summary: null, cleanup: null })
      expect(record).not.toHaveProperty('sirpURL')
      expect(msBetween(record.createdAt, record.nextRunAt)).toBe(3_600_000)
    })

    test('runs at once where the interval is 0', async ({ api, sendAs }) => {
      const record = (await (await sendAs(api.adminKey, id, { body: { query: 'range 3', minutes: 0 } })).json()) as Schedule
      expect(record.nextRunAt).toBe(record.createdAt)
    })

    test.for([
      ['query', ['range 3', `range 3${' '.repeat(1_048_569)}`], ['', 'x'.repeat(1_048_577), 1, null]],
      ['ttl', [0, 315_360_000], [-1, 1.5, 315_360_001, '60', null]],
      ['metadata', [{}, { a: { b: [{}] } }], [[], 'x', null]],
      ['summary', [true, false], [0, 'true', null]],
      ['cleanup', [true, false], [1, 'false', null]],
      ['minutes', [1, 525_600], [-1, 1.5, 2_147_483_648, '5', null]],
      ['overlap', ['skip', 'queue'], ['', 'wait', true, null]],
      ['values', [{}, { count: 1 }], [[], 'x', null]],
    ] as const)('holds the limits of %s', async ([field, right, wrong], { api, sendAs }) => {
      for (const value of right) {
        const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', [field]: value } })
        expect(await response.json()).toMatchObject({ [field]: value })
      }
      for (const value of wrong) {
        const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', [field]: value } })
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: `/${field}` }] })
      }
    })

    test.for(['mode', 'enabled', 'id', 'template', 'nextRunAt'])('refuses the field %s and names it', async (field, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', [field]: 'turbo' } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: `/${field}`, message: 'is not a known field' }] })
    })

    test('needs a query', async ({ api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: { minutes: 5 } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: '/query', message: 'is required' }] })
    })

    test('refuses a query that cannot be run with a 422 that points at the fault', async ({ api, sendAs }) => {
      for (const query of ['nonsense', ' ', 'runTemplate missing']) {
        const response = await sendAs(api.adminKey, id, { body: { query } })
        expect([query, response.status, await response.json()]).toEqual([query, 422, expect.objectContaining({ code: 'query_syntax', line: 1, column: expect.any(Number) })])
      }
    })

    test('takes a template with its values, and refuses one that lacks a value or does not exist', async ({ api, sendAs, call }) => {
      const name = `for ${id}`
      await call('sirp.template.create', { body: { name, description: 'd', query: 'range $template.count$' } })
      const send = (body: object) => sendAs(api.adminKey, id, { body })
      expect(await (await send({ query: name, values: { count: 2 }, overlap: 'queue' })).json()).toMatchObject({ query: name, values: { count: 2 }, overlap: 'queue' })
      expect(await (await send({ query: name, values: {} })).json()).toMatchObject({ status: 422, detail: expect.stringContaining('count') })
      expect((await send({ query: 'no such template', values: { count: 2 } })).status).toBe(422)
    })

    test('answers a repeat with the same Idempotency-Key with the schedule that is there', async ({ api, sendAs }) => {
      const again = () => sendAs(api.adminKey, id, { body: { query: 'range 1' }, headers: { 'Idempotency-Key': `${id}-once` } })
      const [first, second] = [await again(), await again()]
      expect([first.status, second.status]).toEqual([201, 201])
      expect(await second.json()).toEqual(await first.json())
    })
  })
}

/** What the two variants take beyond that. */
export function describeScheduleVariant(id: ScheduleCreation): void {
  const wished = async (response: Promise<Response>) => (await (await response).json()) as Schedule

  describe(`${id}, further fields`, () => {
    test('takes the id that was wished for, and its address reads it back', async ({ api, sendAs }) => {
      for (const queryId of ['nightly', 'a/b %2f?#', '名前', 'x'.repeat(250), '😀'.repeat(250), '7b1c2a3e-0000-4000-8000-000000000000', '__proto__']) {
        const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', queryId } })
        const read = await fetch(new URL(response.headers.get('location') ?? '', api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
        expect(read.status).toBe(200)
        expect(await read.json()).toMatchObject({ id: queryId, queryId })
      }
    })

    test.for(['', ' ', '.', '..', ' a', 'a ', 'a\nb', 'x'.repeat(251), '😀'.repeat(251), 1, null].map((queryId) => [brief(queryId), queryId] as const))('refuses %s as an id', async ([, queryId], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', queryId } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: '/queryId' }] })
    })

    test('creates one schedule when twenty requests wish for one id at once', async ({ api, sendAs }) => {
      const create = async () => (await sendAs(api.adminKey, id, { body: { query: 'range 3', queryId: 'contended' } })).status
      const statuses = await Promise.all(Array.from({ length: 20 }, create))
      expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    })

    test('does not pass off the schedule of somebody else as the one that was asked for', async ({ api, sendAs }) => {
      await sendAs(api.adminKey, id, { body: { query: 'range 1', queryId: 'taken' } })
      const response = await sendAs(api.adminKey, id, { body: { query: 'range 2', queryId: 'taken' }, headers: { 'Idempotency-Key': `${id}-taken` } })
      expect(response.status).toBe(409)
      expect(await response.json()).toMatchObject({ code: 'conflict' })
    })

    test('keeps the interval within a year', async ({ api, sendAs }) => {
      expect(await wished(sendAs(api.adminKey, id, { body: { query: 'range 3', minutes: 525_600 } }))).toMatchObject({ minutes: 525_600 })
      expect((await sendAs(api.adminKey, id, { body: { query: 'range 3', minutes: 525_601 } })).status).toBe(400)
    })

    test.for(['http://a.example', 'https://a.example:8443/x?y#z', 'http://[::1]/', `http://a.example/${'x'.repeat(2031)}`].map((sirpURL) => [brief(sirpURL), sirpURL] as const))('takes %s as sirpURL', async ([, sirpURL], { api, sendAs }) => {
      expect(await wished(sendAs(api.adminKey, id, { body: { query: 'range 3', sirpURL } }))).toMatchObject({ sirpURL })
    })

    const wrongAddresses = ['', 'a.example', 'ftp://a.example', 'file:///etc/passwd', 'javascript:alert(1)', 'http://', 'http://a b', 'http://a.example\n', `http://a.example/${'x'.repeat(2032)}`, 1, null]
    const withSecrets = ['http://u:hunter2@a.example', 'http://hunter2@a.example', 'https://[hunter2']
    test.for([...wrongAddresses, ...withSecrets].map((sirpURL) => [brief(sirpURL), sirpURL] as const))(
      'refuses %s as sirpURL without quoting it',
      async ([, sirpURL], { api, sendAs }) => {
        const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', sirpURL } })
        const text = await response.text()
        expect(response.status).toBe(400)
        expect(JSON.parse(text)).toMatchObject({ errors: [{ path: '/sirpURL' }] })
        expect(text).not.toContain('hunter2')
      },
    )
  })
}
