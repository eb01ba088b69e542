import { describe, expect } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { Shutdown } from '../../../src/platform/shutdown.ts'
import type { House } from '../../../src/services/house.ts'
import { queueOf } from '../../../src/services/queuesOf.ts'
import { shutdownReason } from '../../../workers/lib/drain.ts'
import { openQueryProcessors } from '../../../workers/query/open.ts'
import { answerJson } from '../../support/answering.ts'
import { startApi } from '../../support/api.ts'
import { runToEnd, start } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget as openServer } from '../../support/httpTarget.ts'
import { openTarget } from '../../support/target.ts'
import { makeTestDir } from '../../support/testDir.ts'

/** The kinds of all jobs that a query has had, or still has. */
async function jobsOf(house: House, queryId: string): Promise<string[]> {
  const jobs = await queueOf(house, 'query').getJobs()
  return jobs.filter(({ data }) => (data as { queryId?: string }).queryId === queryId).map(({ name }) => name).toSorted()
}

/** An API, and the processors of a query worker that is called by hand. */
async function openByHand() {
  const api = await startApi({ EGRESS_ALLOW: '127.0.0.0/8', POLICY_DEFAULT: 'off', DATA_DIR: await makeTestDir() })
  const { house } = api
  const shutdown = new Shutdown(house.log)
  const facts = { jobId: 'job', attempt: 1, signal: new AbortController().signal, isEnding: () => false, log: house.log }
  return {
    house,
    call: createClient({ baseUrl: api.url, apiKey: api.adminKey }),
    processors: await openQueryProcessors(house, shutdown),
    facts,
    async [Symbol.asyncDispose]() {
      await shutdown.run()
      await api.close()
    },
  }
}

describe('the job of a query', () => {
  test('sends single requests itself, and goes on behind each', async ({ api, call }) => {
    await using target = await openTarget(({ url }) => ({ body: { path: url } }))
    const { id, rows } = await runToEnd(call, `api get ${target.url}/a || upper path || api get ${target.url}$path$/b`)
    expect(rows).toEqual([{ path: '/A/b' }])
    expect(await jobsOf(api.house, id)).toEqual(['query.run'])
  })

  test('runs the first unit of a stage, and the last one that ends goes on with the query', async ({ api, call }) => {
    await using target = await openTarget(({ url }) => ({ body: { path: url } }))
    const { id, rows } = await runToEnd(call, `range 8 || api get ${target.url}/$n$ || count`)
    expect(rows).toEqual([{ count: 8 }])
    expect(await jobsOf(api.house, id)).toEqual(['query.expand', 'query.expand', 'query.expand', 'query.run'])
  })

  test('gives its request a job when its process ends, so that another takes it on', async () => {
    await using worker = await openByHand()
    let isHeld = true
    const server = await openServer((request, response) => isHeld || answerJson(response, { path: request.url }))
    const id = await start(worker.call, `api get ${server.origin}/held`)
    const stop = new AbortController()
    const running = worker.processors['query.run']({ queryId: id }, { ...worker.facts, signal: stop.signal })
    await expect.poll(() => server.seen).toEqual(['GET /held'])
    stop.abort(shutdownReason)
    await expect(running).rejects.toThrow('the process ends')
    await expect.poll(() => jobsOf(worker.house, id)).toEqual(['query.expand', 'query.run'])
    isHeld = false
    await worker.processors['query.expand']({ queryId: id, stage: 0, firstRow: 0 }, worker.facts)
    expect(await worker.call('sirp.query.read', { params: { id } })).toMatchObject({ status: 'completed' })
    expect(server.seen).toEqual(['GET /held', 'GET /held'])
    await server.close()
  })

  test('leaves the query to another job behind its request when its process takes no more', async () => {
    await using worker = await openByHand()
    await using target = await openTarget(({ url }) => ({ body: { path: url } }))
    const id = await start(worker.call, `api get ${target.url}/a`)
    await worker.processors['query.run']({ queryId: id }, { ...worker.facts, isEnding: () => true })
    await expect.poll(() => jobsOf(worker.house, id)).toEqual(['query.run', 'query.run'])
    expect(await worker.call('sirp.query.read', { params: { id } })).toMatchObject({ status: 'running' })
  })
})
