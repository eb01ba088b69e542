import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createClient, type Call } from '../../src/client/index.ts'
import { startApi, type RunningApi } from '../support/api.ts'
import { cloneDatabase } from '../support/database.ts'
import { openTcpProxy, type TcpProxy } from '../support/tcpProxy.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let postgres: TcpProxy
let redis: TcpProxy
let api: RunningApi
let call: Call

beforeAll(async () => {
  database = await cloneDatabase()
  postgres = await openTcpProxy(database.url)
  redis = await openTcpProxy(inject('redisUrl'))
  api = await startApi({ DATABASE_URL: postgres.url, REDIS_URL: redis.url })
  call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
})

afterAll(async () => {
  await api.close()
  await Promise.all([postgres.close(), redis.close()])
  await database.drop()
})

/** What the audit log says of an operation. */
const doneOf = async (operation: string): Promise<number> => api.house.db.auditEntry.count({ where: { operation, outcome: 'done' } })

describe('a connection to the database that is lost together with an answer', () => {
  test('is not noticed by who only reads', async () => {
    await call('gonogo.policy.list')
    postgres.setMood('cutOnce')
    expect(await call('gonogo.policy.list')).toMatchObject({ total: 0 })
  })

  test('is not noticed by who dispatches, and what was stored by then is not stored again', async () => {
    const before = await doneOf('sirp.query.dispatch')
    postgres.setMood('cutOnce')
    const { id } = await call('sirp.query.dispatch', { body: { query: 'range 1' } })
    expect(await call('sirp.query.read', { params: { id } })).toMatchObject({ id, query: 'range 1' })
    expect(await doneOf('sirp.query.dispatch')).toBe(before + 1)
    expect(await call('sirp.query.list')).toMatchObject({ total: 1 })
  })

  test('is not noticed by who creates something', async () => {
    postgres.setMood('cutOnce')
    const { id } = await call('gonogo.policy.create', { body: { name: 'made', domain: 'made.example', policy: {} } })
    expect(await call('gonogo.policy.list')).toMatchObject({ total: 1, items: [{ id }] })
  })

  test('is not noticed by who sends an Idempotency-Key, and its key is not held up', async () => {
    const request = { body: { query: 'range 5' }, headers: { 'Idempotency-Key': 'lost' } }
    postgres.setMood('cutOnce')
    const { id } = await call('sirp.query.dispatch', request)
    expect(await call('sirp.query.dispatch', request)).toMatchObject({ id })
  })

  test('is told to who changes something', async () => {
    const { id } = await call('gonogo.policy.create', { body: { name: 'lost', domain: 'lost.example', policy: {} } })
    const change = { params: { id }, body: { name: 'found', domain: 'lost.example', policy: {} } }
    // What the API asks for in the background may lose its connection instead.
    const status = (): Promise<unknown> => {
      postgres.setMood('cutOnce')
      return call('gonogo.policy.update', change).then(() => 200, (error: { status: number }) => error.status)
    }
    await expect.poll(status, { interval: 20, timeout: 10_000 }).toBe(503)
    expect(await call('gonogo.policy.update', change)).toMatchObject({ name: 'found' })
  })
})

describe('a connection to Redis that is lost', () => {
  test('is waited for where it comes back at once', async () => {
    redis.reset()
    await expect.poll(() => api.house.redis.status).not.toBe('ready')
    expect(await call('sirp.query.dispatch', { body: { query: 'range 3' } })).toMatchObject({ status: 'queued' })
  })

  test('is told after a moment where it does not', async () => {
    redis.setMood('refuse')
    await expect.poll(() => api.house.redis.status).not.toBe('ready')
    const dispatch = (): Promise<unknown> => call('sirp.query.dispatch', { body: { query: 'range 4' } })
    await expect(dispatch()).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    redis.setMood('open')
    await expect.poll(() => dispatch().then(() => true, () => false), { timeout: 5_000 }).toBe(true)
  })
})
