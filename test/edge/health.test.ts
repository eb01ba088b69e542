import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { startApi, unknownId, type RunningApi } from '../support/api.ts'
import { cloneDatabase } from '../support/database.ts'
import { expectProblem } from '../support/problems.ts'
import { openTcpProxy, type TcpProxy } from '../support/tcpProxy.ts'

const policies = '/v1/gonogo/policies'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let postgres: TcpProxy
let redis: TcpProxy
let api: RunningApi
let made = 0

beforeAll(async () => {
  database = await cloneDatabase()
  postgres = await openTcpProxy(database.url)
  redis = await openTcpProxy(inject('redisUrl'))
  api = await startApi({ DATABASE_URL: postgres.url, REDIS_URL: redis.url })
})

afterAll(async () => {
  await api.close()
  await Promise.all([postgres.close(), redis.close()])
  await database.drop()
})

afterEach(async () => {
  for (const proxy of [postgres, redis]) {
    proxy.setDelay(0)
    proxy.setMood('open')
  }
  await expect.poll(readiness, { timeout: 5_000 }).toBe(200)
})

const headers = () => ({ 'Authorization': `svc ${api.adminKey}`, 'Content-Type': 'application/json' })
const get = (path: string) => fetch(api.url + path, { headers: headers() })
const create = () => fetch(api.url + policies, { method: 'POST', headers: headers(), body: JSON.stringify({ name: 'n', domain: `d${(made += 1)}.example`, policy: {} }) })
const remove = () => fetch(`${api.url}${policies}/${unknownId}`, { method: 'DELETE', headers: headers() })

async function readiness(): Promise<number> {
  const response = await get('/readyz')
  await response.text()
  return response.status
}

/** Milliseconds that a piece of work takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Resource routes answer 503 in time, whatever they do; the process itself is well and says what it lacks. */
async function expectDatabaseMissed(): Promise<void> {
  const live = await get('/healthz')
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }])
  const missed = async (send: () => Promise<Response>) => expect(await timed(async () => expectProblem(await send(), 'unavailable'))).toBeLessThan(6_000)
  await Promise.all([missed(() => get(policies)), missed(() => get(`${policies}/${unknownId}`)), missed(create), missed(remove), ...Array.from({ length: 20 }, () => missed(() => get(policies)))])
  const ready = await expectProblem(await get('/readyz'), 'unavailable')
  expect(ready).toMatchObject({ detail: 'Waiting for the database.', checks: { database: { ok: false }, redis: { ok: true } } })
}

async function expectBack(): Promise<void> {
  await expect.poll(readiness, { timeout: 5_000, interval: 100 }).toBe(200)
  const response = await create()
  expect([response.status, await response.text()]).toEqual([201, expect.any(String)])
}

describe('while the database', () => {
  test('is there, the process is ready', async () => {
    const response = await get('/readyz')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ready', checks: { database: { ok: true }, redis: { ok: true } } })
  })

  test('refuses connections', async () => {
    postgres.setMood('refuse')
    await expectDatabaseMissed()
    postgres.setMood('open')
    await expectBack()
  })

  test('has fallen silent without a word', async () => {
    await Promise.all(Array.from({ length: 5 }, () => get(policies)))
    postgres.setMood('swallow')
    await expectDatabaseMissed()
    await expectDatabaseMissed()
    // The old connections stay dead, as behind a router that forgot them.
    postgres.setMood('open')
    await expectBack()
  })

  test('is slow, requests wait for it and succeed', async () => {
    postgres.setDelay(150)
    const answers = await Promise.all([get(policies), create(), create(), get(policies)])
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 201, 200])
  })

  test('cuts connections in the midst of requests, they get a 503 at worst, and the next ones succeed', async () => {
    const statuses = new Map<number, number>()
    // However long a busy machine takes to come back between two cuts, both kinds of request succeed in the end.
    const hasSucceeded = (): boolean => statuses.has(200) && statuses.has(201)
    const load = Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 20 || !hasSucceeded(); round += 1) {
        const response = round % 2 ? await get(policies) : await create()
        if (response.status >= 400) await expectProblem(response, 'unavailable')
        else await response.text()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    })
    const cuts = (async () => {
      for (let cut = 0; cut < 10; cut += 1) {
        await new Promise((later) => setTimeout(later, 40))
        postgres.reset()
      }
    })()
    await Promise.all([...load, cuts])
    expect([...statuses.keys()].toSorted()).toEqual([200, 201, 503])
    await expectBack()
  })

  test('ends our sessions, nothing but those requests is harmed', async () => {
    const { Client } = (await import('pg')).default
    const admin = new Client({ connectionString: database.url })
    await admin.connect()
    for (let round = 0; round < 3; round += 1) {
      const running = Promise.all(Array.from({ length: 10 }, create))
      await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quern' AND datname = current_database()")
      for (const response of await running) if (response.status !== 201) await expectProblem(response, 'unavailable')
    }
    await admin.end()
    await expectBack()
  })

  test('is away, fails nobody twice: a request whose transaction was cut can be repeated', async () => {
    const body = JSON.stringify({ name: 'n', domain: 'repeat.example', policy: {} })
    const send = () => fetch(api.url + policies, { method: 'POST', headers: { ...headers(), 'Idempotency-Key': 'repeat' }, body })
    postgres.setMood('swallow')
    const first = send()
    await expectProblem(await first, 'unavailable')
    postgres.setMood('open')
    await expect.poll(async () => (await send()).status, { timeout: 5_000 }).toBe(201)
    expect(await api.house.db.policy.count({ where: { domain: 'repeat.example' } })).toBe(1)
  })
})

describe('while Redis', () => {
  /** Shorter than whatever waits for Redis would take, which gives a command up after 1.5 s. */
  const waitMs = 1_450

  /** What one of three took at least: all of them would wait for Redis, and a busy machine does not hold up each. */
  const quickest = async (work: () => Promise<unknown>): Promise<number> => Math.min(await timed(work), await timed(work), await timed(work))

  test.for(['refuse', 'swallow'] as const)('does not answer (%s), resources are read and written, and readiness tells', async (mood) => {
    redis.setMood(mood)
    const ready = await expectProblem(await get('/readyz'), 'unavailable')
    expect(ready).toMatchObject({ detail: 'Waiting for Redis.', checks: { database: { ok: true }, redis: { ok: false } } })
    expect(await quickest(async () => expect((await create()).status).toBe(201))).toBeLessThan(waitMs)
    expect(await quickest(async () => expect((await get(policies)).status).toBe(200))).toBeLessThan(waitMs)
    redis.setMood('open')
    await expectBack()
  })

  test('drops a connection without a word, a new one is made', async () => {
    redis.setMood('swallow')
    await expect.poll(readiness, { timeout: 3_000 }).toBe(503)
    redis.setMood('open')
    await expectBack()
  })

  test('resets its connections, the process stays', async () => {
    for (let cut = 0; cut < 5; cut += 1) {
      redis.reset()
      expect((await create()).status).toBe(201)
    }
    await expectBack()
  })
})

describe('while both are away', () => {
  test('the process lives, says so, and comes back by itself', async () => {
    postgres.setMood('refuse')
    redis.setMood('refuse')
    expect((await get('/healthz')).status).toBe(200)
    const ready = await expectProblem(await get('/readyz'), 'unavailable')
    expect(ready.detail).toBe('Waiting for the database and Redis.')
    postgres.setMood('open')
    redis.setMood('open')
    await expectBack()
  })
})

test('a crowd that asks for readiness asks the servers once', async () => {
  let asked = 0
  const count = (): void => void (asked += 1)
  api.house.pool.on('acquire', count)
  postgres.setDelay(100)
  const answers = await Promise.all(Array.from({ length: 200 }, () => get('/readyz')))
  api.house.pool.off('acquire', count)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(asked).toBeLessThan(20)
})
