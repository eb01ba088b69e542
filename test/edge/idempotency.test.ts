import { describe, expect } from 'vitest'
import { randomText } from '../../src/platform/ids.ts'
import { startApi, test, type RunningApi } from '../support/api.ts'
import { expectProblem } from '../support/problems.ts'
import { postText } from '../support/rawRequest.ts'
import { exchange } from '../support/wire.ts'

const policies = '/v1/gonogo/policies'
const draft = (domain: string) => ({ name: 'n', domain, policy: { perSecond: 1 } })

function post(api: RunningApi, key: string, body: unknown, options: { path?: string; apiKey?: string } = {}): Promise<Response> {
  const headers = { 'Authorization': `svc ${options.apiKey ?? api.adminKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return fetch(api.url + (options.path ?? policies), { method: 'POST', headers, body: JSON.stringify(body) })
}

/** What a client sees of an answer, without what differs by request. */
async function seen(response: Response): Promise<object> {
  const { status, headers } = response
  return { status, type: headers.get('content-type'), location: headers.get('location'), etag: headers.get('etag'), body: await response.text() }
}

const recordOf = async (response: Response): Promise<{ id: string }> => (await response.json()) as { id: string }
const keptRows = ({ house }: RunningApi) => house.db.idempotentRequest.findMany()

describe('a repeat', () => {
  test('gets the first answer again, whole, and makes nothing', async ({ api }) => {
    const first = await seen(await post(api, 'again', draft('again.example')))
    expect(first).toMatchObject({ status: 201, etag: '"1"', location: expect.stringMatching(/^\/v1\/gonogo\/policies\/./) as string })
    expect(await seen(await post(api, 'again', draft('again.example')))).toEqual(first)
    expect(await api.house.db.policy.count({ where: { domain: 'again.example' } })).toBe(1)
    expect(await api.house.db.auditEntry.count({ where: { target: (JSON.parse((first as { body: string }).body) as { id: string }).id } })).toBe(1)
  })

  test('gets the first answer at once although the connection broke when it was to be kept', async ({ api }) => {
    await api.house.pool.query(`
      CREATE SEQUENCE broken;
      CREATE FUNCTION break_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('broken') = 1 THEN RAISE EXCEPTION 'cut' USING ERRCODE = '08006'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER break_once BEFORE UPDATE ON idempotent_requests FOR EACH ROW WHEN (NEW.key = 'broken' AND NEW.status IS NOT NULL) EXECUTE FUNCTION break_once()`)
    const first = await seen(await post(api, 'broken', draft('broken.example')))
    const askedAt = performance.now()
    expect(await seen(await post(api, 'broken', draft('broken.example')))).toEqual(first)
    expect(performance.now() - askedAt).toBeLessThan(15_000)
    expect((await api.house.pool.query<{ last: number }>('SELECT last_value::integer AS last FROM broken')).rows).toEqual([{ last: 2 }])
  })

  test('fifty at once make one record and fifty equal answers, over two processes', async ({ api }) => {
    const other = await startApi(api.settings)
    const answers = await Promise.all(Array.from({ length: 50 }, async (_, index) => seen(await post(index % 2 ? api : other, 'fifty', draft('fifty.example')))))
    expect(answers[0]).toMatchObject({ status: 201 })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await api.house.db.policy.count({ where: { domain: 'fifty.example' } })).toBe(1)
    await other.close()
  })

  test('may spell its JSON in another way', async ({ api }) => {
    const first = await seen(await post(api, 'spelled', draft('spelled.example')))
    const body = JSON.stringify(draft('spelled.example'), null, ' ').replaceAll('\n', ' ').replace('spelled', '\\u0073pelled')
    const again = await exchange(api.url, postText(api, policies, body, { 'Idempotency-Key': 'spelled' }))
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: (first as { body: string }).body })
  })

  test('with another body, address or operation is a 422', async ({ api }) => {
    const first = await post(api, 'mismatch', draft('mismatch.example'))
    expect(first.status).toBe(201)
    await expectProblem(await post(api, 'mismatch', draft('other.example')), 'idempotency_mismatch')
    await expectProblem(await post(api, 'mismatch', {}, { path: '/v1/secrets/apikeys' }), 'idempotency_mismatch')
    expect(await api.house.db.policy.count({ where: { domain: 'other.example' } })).toBe(0)
    expect(await seen(await post(api, 'mismatch', draft('mismatch.example')))).toMatchObject({ status: 201, body: await first.text() })
  })

  test('of another caller is a request of its own', async ({ api }) => {
    const { key } = (await (await post(api, 'other caller', { name: 'b' }, { path: '/v1/secrets/apikeys' })).json()) as { key: string }
    expect((await post(api, 'shared', draft('a.example'))).status).toBe(201)
    expect((await post(api, 'shared', draft('b.example'), { apiKey: key })).status).toBe(201)
    await expectProblem(await post(api, 'shared', draft('a.example'), { apiKey: key }), 'idempotency_mismatch')
  })

  test('works without a kept ETag too', async ({ api }) => {
    const first = await seen(await post(api, 'no etag', { name: 'once' }, { path: '/v1/secrets/apikeys' }))
    expect(first).toMatchObject({ status: 201, etag: null })
    expect(await seen(await post(api, 'no etag', { name: 'once' }, { path: '/v1/secrets/apikeys' }))).toEqual(first)
  })
})

describe('a request that failed', () => {
  test('for its shape leaves the key free', async ({ api }) => {
    await expectProblem(await post(api, 'shape', { name: 'n' }), 'validation_failed')
    await expectProblem(await post(api, 'shape', draft('not a domain')), 'validation_failed')
    expect((await post(api, 'shape', draft('shape.example'))).status).toBe(201)
  })

  test('for a conflict leaves the key free, also for another body', async ({ api }) => {
    const taken = await recordOf(await post(api, 'first', draft('taken.example')))
    await expectProblem(await post(api, 'conflict', draft('taken.example')), 'conflict')
    await api.house.db.policy.delete({ where: { id: taken.id } })
    expect((await post(api, 'conflict', draft('taken.example'))).status).toBe(201)
    await expectProblem(await post(api, 'conflict2', draft('taken.example')), 'conflict')
    expect((await post(api, 'conflict2', draft('free.example'))).status).toBe(201)
  })

  test('many at once, all of them refused, leave nothing behind', async ({ api }) => {
    expect((await post(api, 'x', draft('busy.example'))).status).toBe(201)
    const before = (await keptRows(api)).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(api, 'all refused', draft('busy.example'))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 409))
    expect((await keptRows(api)).length).toBe(before)
  })
})

describe('after a crash', () => {
  const abandon = (api: RunningApi, key: string, leaseUntil: Date) => api.house.db.idempotentRequest.updateMany({ where: { key }, data: { status: null, sealed: null, leaseUntil } })
  const past = () => new Date(Date.now() - 1_000)

  test('before the work, a repeat does it under the id that was given out', async ({ api }) => {
    const { id } = await recordOf(await post(api, 'early', draft('early.example')))
    await abandon(api, 'early', past())
    await api.house.db.policy.delete({ where: { id } })
    expect(await recordOf(await post(api, 'early', draft('early.example')))).toMatchObject({ id })
  })

  test('after the work, a repeat finds it and answers the same', async ({ api }) => {
    const first = await seen(await post(api, 'late', draft('late.example')))
    await abandon(api, 'late', past())
    const answers = await Promise.all(Array.from({ length: 10 }, async () => seen(await post(api, 'late', draft('late.example')))))
    for (const answer of answers) expect(answer).toEqual(first)
    expect(await api.house.db.policy.count({ where: { domain: 'late.example' } })).toBe(1)
  })

  test('another body is still refused', async ({ api }) => {
    await post(api, 'doubt', draft('doubt.example'))
    await abandon(api, 'doubt', past())
    await expectProblem(await post(api, 'doubt', draft('doubt2.example')), 'idempotency_mismatch')
  })

  test('nobody takes over while the first may still run', async ({ api }) => {
    await post(api, 'running', draft('running.example'))
    await abandon(api, 'running', new Date(Date.now() + 1_200))
    const started = performance.now()
    expect((await post(api, 'running', draft('running.example'))).status).toBe(201)
    expect(performance.now() - started).toBeGreaterThan(1_000)
  })
})

describe('after a day', () => {
  const age = (api: RunningApi, key: string, hours: number) => api.house.db.idempotentRequest.updateMany({ where: { key }, data: { createdAt: new Date(Date.now() - hours * 3_600_000) } })

  test('the key is free again, for any body', async ({ api }) => {
    const first = await recordOf(await post(api, 'day', draft('day.example')))
    await age(api, 'day', 23.9)
    expect(await recordOf(await post(api, 'day', draft('day.example')))).toMatchObject({ id: first.id })
    await age(api, 'day', 24.1)
    const second = await recordOf(await post(api, 'day', draft('next.example')))
    expect(second.id).not.toBe(first.id)
    expect(await recordOf(await post(api, 'day', draft('next.example')))).toMatchObject({ id: second.id })
  })

  test('also one that was never finished, and once only', async ({ api }) => {
    await post(api, 'old doubt', draft('old-doubt.example'))
    await age(api, 'old doubt', 25)
    await api.house.db.idempotentRequest.updateMany({ where: { key: 'old doubt' }, data: { status: null, sealed: null, leaseUntil: new Date(0) } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(api, 'old doubt', draft('new-work.example'))))
    const ids = new Set((await Promise.all(answers.map(recordOf))).map(({ id }) => id))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(ids.size).toBe(1)
  })
})

describe('what is kept', () => {
  test('shows no key and no password to a reader of the database', async ({ api }) => {
    const { key } = (await (await post(api, 'sealed', { name: 'secret' }, { path: '/v1/secrets/apikeys' })).json()) as { key: string }
    const again = (await (await post(api, 'sealed', { name: 'secret' }, { path: '/v1/secrets/apikeys' })).json()) as { key: string }
    expect(again.key).toBe(key)
    const password = `hunter2-${randomText(8)}`
    expect((await post(api, 'user', { username: 'someone', password }, { path: '/v1/secrets/users' })).status).toBeLessThan(500)
    const { rows } = await api.house.pool.query<{ text: string }>('SELECT idempotent_requests::text AS text FROM idempotent_requests')
    const stored = rows.map(({ text }) => text).join('\n')
    expect(stored).not.toContain(key.slice(37))
    expect(stored).not.toContain(Buffer.from(key).toString('hex'))
    expect(stored).not.toContain(password)
  })

  test('lets nobody try passwords against the digest of a body', async ({ api }) => {
    const digests = async (one: RunningApi): Promise<string[]> => (await one.house.db.idempotentRequest.findMany({ where: { key: 'digest' } })).map(({ fingerprint }) => Buffer.from(fingerprint).toString('hex'))
    const other = await startApi()
    await Promise.all([post(api, 'digest', draft('digest.example')), post(other, 'digest', draft('digest.example'))])
    expect(await digests(api)).toHaveLength(1)
    expect(await digests(api)).not.toEqual(await digests(other))
    await other.close()
  })
})

describe('the Idempotency-Key header', () => {
  test.for(['x'.repeat(256), 'é', 'a\tb'])('%j is refused', async (key, { api }) => {
    const problem = await expectProblem(await exchange(api.url, postText(api, policies, JSON.stringify(draft('header.example')), { 'Idempotency-Key': key })), 'validation_failed')
    expect(problem.errors).toEqual([{ in: 'header', path: '/Idempotency-Key', message: 'must have 1 to 255 printable characters' }])
  })

  test.for(['x'.repeat(255), '~', '"quoted"', 'a b', "'; DROP TABLE idempotent_requests; --"])('%j is taken', async (key, { api }) => {
    const domain = `h${Buffer.from(key).toString('hex').slice(0, 20)}.example`
    const first = await recordOf(await post(api, key, draft(domain)))
    expect(await recordOf(await post(api, key, draft(domain)))).toMatchObject({ id: first.id })
  })

  test('means nothing to reads, updates and deletes', async ({ api }) => {
    const { id } = await recordOf(await post(api, 'made', draft('verbs.example')))
    const headers = { 'Authorization': `svc ${api.adminKey}`, 'Idempotency-Key': 'made', 'Content-Type': 'application/json' }
    expect((await fetch(`${api.url}${policies}/${id}`, { headers })).status).toBe(200)
    expect((await fetch(`${api.url}${policies}/${id}`, { method: 'PUT', headers, body: JSON.stringify(draft('verbs.example')) })).status).toBe(200)
    expect((await fetch(`${api.url}${policies}/${id}`, { method: 'DELETE', headers })).status).toBe(204)
  })
})
