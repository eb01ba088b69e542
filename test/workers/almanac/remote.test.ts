import { afterAll, beforeEach, describe, expect, onTestFinished } from 'vitest'
import type { Call } from '../../../src/client/index.ts'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { openTransport } from '../../../src/platform/egress/transport.ts'
import { tick } from '../../../src/services/almanac/tick.ts'
import { remoteProcessor } from '../../../workers/almanac/remote.ts'
import { startApi, test, type RunningApi } from '../../support/api.ts'
import { createSchedule, makeDue, runsOf } from '../../support/schedules.ts'
import { openTarget, type Answering } from '../../support/target.ts'

const remoteId = '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52'
let answers: Answering[] = []
const target = await openTarget(() => answers.shift() ?? { status: 202, body: { id: remoteId, status: 'queued' } })
afterAll(() => target[Symbol.asyncDispose]())
beforeEach(() => {
  target.hits.splice(0)
  answers = []
})

/** Does the job of every run that waits for another instance, as an almanac process would. */
async function dispatchWaiting(api: RunningApi, allow = ['127.0.0.0/8']): Promise<void> {
  const transport = openTransport(new EgressGuard(allow), { maxBytes: 65_536 })
  onTestFinished(() => transport.close())
  const perform = remoteProcessor(api.house, transport, [1, 1])
  for (const { id } of await api.house.db.scheduleRun.findMany({ where: { queryStatus: 'queued', queryId: null } })) {
    await perform({ runId: id }, { jobId: `remote-${id}-1`, attempt: 1, isEnding: () => false, signal: AbortSignal.timeout(15_000), log: api.house.log })
  }
}

async function keepKey({ house }: RunningApi, call: Call, url: string, value: string): Promise<void> {
  const { host } = new URL(url)
  await house.db.credential.deleteMany({ where: { name: host } })
  await call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name: host }, credentials: { custom: { value } } } } })
}

async function dueOn(api: RunningApi, sirpURL: string, fields: object = {}): Promise<string> {
  const { id } = await createSchedule(api, { minutes: 5, sirpURL, ...fields })
  await makeDue(api, id, 1_000)
  await tick(api.house)
  return id
}

describe('a schedule of another instance', () => {
  test('is dispatched there with the key of the credential named like its host, and told the id', async ({ api, call }) => {
    await keepKey(api, call, target.url, 'their-key')
    const id = await dueOn(api, `${target.url}/under/?ignored`, { ttl: 60, metadata: { a: 1 } })
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'queued', lastQueryId: null })
    await dispatchWaiting(api)
    const [run] = await runsOf(api, id)
    expect(target.hits).toMatchObject([{ method: 'POST', url: '/under/v1/sirp/query/runner/dispatch', headers: { authorization: 'svc their-key', 'idempotency-key': `schedule-${run?.id}` } }])
    expect(JSON.parse(target.hits[0]?.body.toString() ?? '')).toEqual({ query: 'range 3', ttl: 60, metadata: { a: 1 } })
    expect(run).toMatchObject({ status: 'fired', queryId: remoteId, queryStatus: 'dispatched', finishedAt: null })
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'dispatched', lastQueryId: remoteId, runs: { fired: 1, skipped: 0, failed: 0 } })
  })

  test('is asked again after a failure that may pass, under the same Idempotency-Key', async ({ api, call }) => {
    await keepKey(api, call, target.url, 'their-key')
    answers = [{ status: 503 }, { status: 429 }]
    const id = await dueOn(api, target.url)
    await dispatchWaiting(api)
    expect(await runsOf(api, id)).toMatchObject([{ status: 'fired', queryStatus: 'dispatched' }])
    expect(new Set(target.hits.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(target.hits).toHaveLength(3)
  })

  test.for<[what: string, answer: Answering, hits: number, reason: string]>([
    ['a key that is not right', { status: 401, body: { code: 'unauthorized' } }, 1, 'answered 401 unauthorized'],
    ['a query that is not right', { status: 422, body: { code: 'query_syntax' } }, 1, 'answered 422 query_syntax'],
    ['a server that stays overloaded', { status: 503 }, 3, 'answered 503'],
    ['something that is no instance', { status: 200, body: 'hello' }, 1, 'did not answer with the id of a query'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 1, 'answered 302'],
  ])('records %s as a failed run with the reason', async ([, answer, hits, reason], { api, call }) => {
    await keepKey(api, call, target.url, 'their-key')
    answers = [answer, answer, answer]
    const id = await dueOn(api, target.url)
    await dispatchWaiting(api)
    const [run] = await runsOf(api, id)
    expect(run).toMatchObject({ status: 'failed', queryId: null, queryStatus: null, finishedAt: expect.any(Date) })
    expect(run?.reason).toContain(reason)
    expect(run?.reason).not.toContain('their-key')
    expect(target.hits).toHaveLength(hits)
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'failed', runs: { failed: 1 } })
  })

  test('is not reached without a credential, nor on a private network that nobody opened', async ({ api, call }) => {
    const bare = await dueOn(api, 'http://127.0.0.1:1/')
    await dispatchWaiting(api)
    expect((await runsOf(api, bare))[0]?.reason).toContain('There is no credential "127.0.0.1:1"')
    await keepKey(api, call, target.url, 'their-key')
    const closed = await dueOn(api, target.url)
    await dispatchWaiting(api, [])
    expect((await runsOf(api, closed))[0]).toMatchObject({ status: 'failed', reason: expect.stringContaining('target_forbidden') })
    expect(target.hits).toEqual([])
  })

  test('is skipped while the run before is still being asked for', async ({ api }) => {
    const id = await dueOn(api, target.url)
    await makeDue(api, id, 500)
    await tick(api.house)
    expect(await runsOf(api, id)).toMatchObject([{ status: 'skipped', reason: 'overlap' }, { status: 'fired' }])
  })

  test('takes the query as a real instance does, once however often it is asked', async ({ api, call }) => {
    const other = await startApi()
    onTestFinished(() => other.close())
    await keepKey(api, call, other.url, other.adminKey)
    const id = await dueOn(api, other.url)
    const [waiting] = await runsOf(api, id)
    await dispatchWaiting(api)
    await api.house.db.scheduleRun.update({ where: { id: waiting?.id ?? '' }, data: { queryStatus: 'queued', queryId: null, sirpUrl: null, lookAt: null } })
    await dispatchWaiting(api)
    const queries = await other.house.db.query.findMany()
    expect(queries).toMatchObject([{ query: 'range 3', requestId: `schedule-${waiting?.id}` }])
    expect(await runsOf(api, id)).toMatchObject([{ queryId: queries[0]?.id, queryStatus: 'dispatched' }])
  })
})
