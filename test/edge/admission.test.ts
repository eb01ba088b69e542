import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { startApi, type RunningApi } from '../support/api.ts'
import { expectProblem } from '../support/problems.ts'
import { postText, requestText } from '../support/rawRequest.ts'
import { exchange, Wire } from '../support/wire.ts'

const policies = '/v1/gonogo/policies'

const headersOf = (key: string) => ({ 'Authorization': `svc ${key}`, 'Content-Type': 'application/json' })
const list = (api: RunningApi, key = api.adminKey) => fetch(api.url + policies, { headers: headersOf(key) })
const create = (api: RunningApi, domain: string, key = api.adminKey) => fetch(api.url + policies, { method: 'POST', headers: headersOf(key), body: JSON.stringify({ name: 'n', domain, policy: {} }) })

async function newKey(api: RunningApi): Promise<string> {
  const response = await fetch(`${api.url}/v1/secrets/apikeys`, { method: 'POST', headers: headersOf(api.adminKey), body: '{}' })
  return ((await response.json()) as { key: string }).key
}

/** Requests that are let in and stay, because their bodies do not come; they stand in line when it settles. */
async function occupy(api: RunningApi, count: number, key = api.adminKey): Promise<{ leave: () => void }> {
  const begin = async (): Promise<Wire> => {
    const wire = await Wire.open(api.url)
    wire.write(postText(api, policies, '', { 'Authorization': `svc ${key}`, 'Content-Length': '100', 'Expect': '100-continue' }))
    expect((await wire.next()).status).toBe(100)
    return wire
  }
  const wires = await Promise.all(Array.from({ length: count }, begin))
  return { leave: () => wires.forEach((wire) => wire.close()) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

describe('the cap on all requests', () => {
  let api: RunningApi
  beforeAll(async () => (api = await startApi({ MAX_REQUESTS: '5' })))
  afterAll(() => api.close())

  test('refuses the next one quickly, with no write, and leaves health alone', async () => {
    const { leave } = await occupy(api, 5)
    const entries = await api.house.db.auditEntry.count()
    expect(await timed(async () => expectProblem(await create(api, 'refused.example'), 'overloaded'))).toBeLessThan(500)
    await expectProblem(await create(api, 'refused.example', 'unknown-key'), 'overloaded')
    for (const path of ['/healthz', '/readyz']) expect((await fetch(api.url + path)).status).toBe(200)
    expect(await api.house.db.auditEntry.count()).toBe(entries)
    expect(await api.house.db.policy.count()).toBe(0)
    leave()
    await expect.poll(async () => (await create(api, 'accepted.example')).status, { timeout: 2_000 }).toBe(201)
  })

  test('forgets every request that has ended, however it ended', async () => {
    const endings = [
      requestText(api, `GET ${policies}`),
      requestText(api, `GET ${policies}`, { Authorization: null }),
      requestText(api, `GET ${policies}`, { Authorization: 'svc x' }),
      requestText(api, `GET ${policies}?x=1`),
      requestText(api, `GET ${policies}/x`),
      postText(api, policies, '{'),
      postText(api, policies, '{}', { 'Content-Type': 'text/plain' }),
      postText(api, policies, '{}', { 'Idempotency-Key': 'é' }),
      postText(api, policies, '{"name":"n","domain":"accepted.example","policy":{}}'),
      requestText(api, `DELETE ${policies}/00000000-0000-4000-8000-000000000000`),
      requestText(api, `DELETE ${policies}/00000000-0000-4000-8000-000000000000`, { 'If-Match': 'x' }),
    ]
    for (let round = 0; round < 7; round += 1) {
      for (const text of endings) expect((await exchange(api.url, text)).status).not.toBe(503)
    }
    expect((await Promise.all(Array.from({ length: 5 }, () => list(api)))).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })

  test('turns many times too many requests into 201 and 503 and nothing else', async () => {
    const before = await api.house.db.policy.count()
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => create(api, `many${index}.example`)))
    for (const answer of answers) if (answer.status !== 201) await expectProblem(answer, 'overloaded')
    const accepted = answers.filter(({ status }) => status === 201).length
    expect(accepted).toBeGreaterThan(0)
    expect(accepted).toBeLessThan(200)
    expect(await api.house.db.policy.count()).toBe(before + accepted)
    expect((await list(api)).status).toBe(200)
  })
})

describe('the cap on the requests of a key', () => {
  let api: RunningApi
  beforeAll(async () => (api = await startApi({ MAX_REQUESTS_PER_KEY: '2' })))
  afterAll(() => api.close())

  test('refuses the next one of that key with a 429, and no other key', async () => {
    const busy = await newKey(api)
    const { leave } = await occupy(api, 2, busy)
    const problem = await expectProblem(await create(api, 'third.example', busy), 'too_many_requests')
    expect(problem.detail).toContain('2 requests')
    expect((await create(api, 'third.example')).status).toBe(201)
    leave()
    await expect.poll(async () => (await list(api, busy)).status, { timeout: 2_000 }).toBe(200)
  })
})

describe('a crowd within the caps', () => {
  test('is served in full, although the database has few connections', async () => {
    const api = await startApi({ DATABASE_POOL: '2' })
    const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => create(api, `crowd${index}.example`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    await api.close()
  })
})

describe('slow clients', () => {
  let api: RunningApi
  beforeAll(async () => (api = await startApi({ HEADERS_TIMEOUT_MS: '1500', STALL_TIMEOUT_MS: '500' })))
  afterAll(() => api.close())

  test('two hundred whose headers dribble are cut off, and a healthy one notices nothing', async () => {
    const wires = await Promise.all(Array.from({ length: 200 }, () => Wire.open(api.url)))
    for (const wire of wires) wire.write('GET /healthz HTTP/1.1\nHost: quern\nX-Slow: ')
    const dribble = setInterval(() => wires.forEach((wire) => wire.socket.writable && wire.write('x')), 100)
    const answers = Promise.all(wires.map((wire) => wire.next()))
    const started = performance.now()
    let slowest = 0
    while (performance.now() - started < 2_000) {
      slowest = Math.max(slowest, await timed(async () => expect((await list(api)).status).toBe(200)))
      await pause(20)
    }
    expect(slowest).toBeLessThan(1_000)
    for (const answer of await answers) await expectProblem(answer, 'request_timeout')
    await Promise.all(wires.map((wire) => wire.closed))
    clearInterval(dribble)
    expect(performance.now() - started).toBeLessThan(6_000)
  })

  test('one that takes nothing of a streamed answer is cut off', async () => {
    const wire = await Wire.open(api.url)
    const { length } = await (await fetch(`${api.url}/docs/swagger-ui-bundle.js`)).text()
    wire.socket.pause()
    const asked = 30
    wire.write(requestText(api, 'GET /docs/swagger-ui-bundle.js').repeat(asked))
    await pause(2_500)
    wire.socket.resume()
    await wire.closed
    expect(wire.rest.length).toBeLessThan(length * asked)
  })
})

describe('the cap on connections', () => {
  test('drops what is beyond it and serves the rest', async () => {
    const api = await startApi({ MAX_CONNECTIONS: '3' })
    const wires = await Promise.all(Array.from({ length: 3 }, () => Wire.open(api.url)))
    const beyond = await Wire.open(api.url)
    await beyond.closed
    for (const wire of wires) {
      wire.write(requestText(api, 'GET /healthz'))
      expect((await wire.next()).status).toBe(200)
      wire.close()
    }
    await expect.poll(async () => fetch(`${api.url}/healthz`).then(({ status }) => status, () => 0)).toBe(200)
    await api.close()
  })
})
