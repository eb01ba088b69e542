import { describe, expect } from 'vitest'
import { send } from '../../src/client/index.ts'
import { test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { addFailedJob, addJob, endJob } from '../support/queuedJobs.ts'

const id = 'jobs.job.list'

describe(id, () => {
  test('shows the jobs of every queue, of one queue, and of one state, newest first and page by page', async ({ api, call, sendAs }) => {
    const { house } = api
    await addFailedJob(house, 'export', 'f1')
    await endJob(house, 'almanac', 'c1', { done: true })
    for (const jobId of ['w1', 'w2', 'w3']) await addJob(house, 'export', jobId)

    const idsOf = async (query: Record<string, string>) => (await call(id, { query })).items.map((job) => `${job.queue} ${job.state} ${job.id}`)
    expect(await idsOf({ queue: 'export' })).toEqual(['export waiting w3', 'export waiting w2', 'export waiting w1', 'export failed f1'])
    expect(await idsOf({ state: 'completed' })).toEqual(['almanac completed c1'])
    expect(await idsOf({ queue: 'export', state: 'failed' })).toEqual(['export failed f1'])
    expect(await idsOf({ queue: 'query', state: 'active' })).toEqual([])

    const { items, total } = await call(id)
    expect(items).toHaveLength(5)
    expect(total).toBe(5)
    await expectPaging((query) => sendAs(api.adminKey, id, { query }), items)
    await expectPageBounds((query) => sendAs(api.adminKey, id, { query }))
  })

  test('shows what a job answered and why it failed, but neither what it carries nor a password in an address', async ({ api, call }) => {
    await addFailedJob(api.house, 'browser', 'f2')
    const { items } = await call(id, { query: { queue: 'browser' } })
    expect(items).toEqual([
      {
        id: 'f2',
        queue: 'browser',
        name: 'test.job',
        state: 'failed',
        attempts: 1,
        createdAt: expect.any(String) as string,
        startedAt: expect.any(String) as string,
        finishedAt: expect.any(String) as string,
        error: { code: 'internal', detail: 'The target postgres://***@db.example/x was not there.' },
      },
    ])
  })

  test('refuses a queue and a state that there are not', async ({ api, sendAs }) => {
    for (const query of [{ queue: 'nope' }, { state: 'nope' }]) expect((await sendAs(api.adminKey, id, { query })).status).toBe(400)
  })

  test('needs a key with the scope ops:read', async ({ api, sendAs }) => {
    expect((await fetch(`${api.url}/v1/jobs`)).status).toBe(401)
    expect((await sendAs(await limitedKey(api, 'ops:write'), id)).status).toBe(403)
    expect((await send({ baseUrl: api.url, apiKey: await limitedKey(api, 'ops:read') }, id, {})).status).toBe(200)
  })
})
