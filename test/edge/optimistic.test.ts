import { describe, expect } from 'vitest'
import { test, unknownId, type RunningApi } from '../support/api.ts'
import { expectProblem } from '../support/problems.ts'
import { postText } from '../support/rawRequest.ts'
import { exchange } from '../support/wire.ts'

interface Made {
  readonly id: string
  readonly etag: string
}

const draft = (domain: string, perSecond = 1) => ({ name: 'n', domain, policy: { perSecond } })

async function make(api: RunningApi, domain: string): Promise<Made> {
  const answer = await exchange(api.url, postText(api, '/v1/gonogo/policies', JSON.stringify(draft(domain))))
  return { id: (JSON.parse(answer.body) as { id: string }).id, etag: answer.headers['etag'] ?? '' }
}

function send(api: RunningApi, method: 'PUT' | 'DELETE' | 'GET', id: string, ifMatch: string | null, body?: object): Promise<Response> {
  const headers = { 'Authorization': `svc ${api.adminKey}`, 'Content-Type': 'application/json', ...(ifMatch === null ? {} : { 'If-Match': ifMatch }) }
  return fetch(`${api.url}/v1/gonogo/policies/${id}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}

const versionOf = async (api: RunningApi, id: string): Promise<number | undefined> => (await api.house.db.policy.findUnique({ where: { id } }))?.version

describe('If-Match', () => {
  test('lets a change through that knows the record, and counts it', async ({ api }) => {
    const { id, etag } = await make(api, 'knows.example')
    const first = await send(api, 'PUT', id, etag, draft('knows.example', 2))
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"'])
    const read = await send(api, 'GET', id, null)
    expect([read.headers.get('etag'), (await read.json()) as object]).toMatchObject(['"2"', { version: 2, policy: { perSecond: 2 } }])
    expect((await send(api, 'PUT', id, '"2"', draft('knows.example', 3))).status).toBe(200)
  })

  test('refuses a change of what has changed meanwhile, and changes nothing', async ({ api }) => {
    const { id, etag } = await make(api, 'stale.example')
    await send(api, 'PUT', id, null, draft('stale.example', 2))
    const problem = await expectProblem(await send(api, 'PUT', id, etag, draft('stale.example', 3)), 'precondition_failed')
    expect(problem.detail).toContain('version 2')
    await expectProblem(await send(api, 'DELETE', id, etag), 'precondition_failed')
    expect(await api.house.db.policy.findUnique({ where: { id } })).toMatchObject({ version: 2, perSecond: 2 })
  })

  test('lets exactly one of twenty equal changes through', async ({ api }) => {
    const { id, etag } = await make(api, 'twenty.example')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(api, 'PUT', id, etag, draft('twenty.example', index + 10))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 412)])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await api.house.db.policy.findUnique({ where: { id } })).toMatchObject({ version: 2, perSecond: winner + 10 })
  })

  test('without it the last of twenty wins, and each is counted', async ({ api }) => {
    const { id } = await make(api, 'last.example')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(api, 'PUT', id, null, draft('last.example', index))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(20)
    expect(await versionOf(api, id)).toBe(21)
  })

  test('lets one of a change and a deletion through', async ({ api }) => {
    const { id, etag } = await make(api, 'race.example')
    const statuses = (await Promise.all([send(api, 'PUT', id, etag, draft('race.example', 2)), send(api, 'DELETE', id, etag)])).map(({ status }) => status)
    expect(statuses[0] === 200 ? [412] : [404, 412]).toContain(statuses[0] === 200 ? statuses[1] : statuses[0])
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
  })

  test('deletes what it knows', async ({ api }) => {
    const { id, etag } = await make(api, 'gone.example')
    expect((await send(api, 'DELETE', id, etag)).status).toBe(204)
    await expectProblem(await send(api, 'DELETE', id, etag), 'not_found')
    await expectProblem(await send(api, 'PUT', id, etag, draft('gone.example')), 'not_found')
  })

  test('a star stands for whatever there is', async ({ api }) => {
    const { id } = await make(api, 'star.example')
    expect((await send(api, 'PUT', id, '*', draft('star.example', 2))).status).toBe(200)
    expect((await send(api, 'DELETE', id, '*')).status).toBe(204)
    await expectProblem(await send(api, 'PUT', unknownId, '*', draft('star.example')), 'not_found')
  })

  test.for(['1', 'W/"1"', '"x"', '""', '"1', '"-1"', '"1.0"', '"9999999999"', '"99999999999999999999"', '"1", "2"', 'x', '"0"', '"999999999"', '*, "1"', '"1" "1"'])('%s is the tag of nothing', async (tag, { api }) => {
    const { id } = await make(api, `tag${Buffer.from(tag).toString('hex')}.example`)
    await expectProblem(await send(api, 'PUT', id, tag, draft('tag.example')), 'precondition_failed')
    await expectProblem(await send(api, 'DELETE', id, tag), 'precondition_failed')
    expect(await versionOf(api, id)).toBe(1)
  })
})
