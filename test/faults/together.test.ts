import { describe, expect, test } from 'vitest'
import { CallFailed, createClient, type Call } from '../../src/client/index.ts'
import { adminKey, complaintsOf, openStand, type Stand } from './harness/stand.ts'

/** Within how long a change is in force everywhere; twice that on a busy machine. */
const everywhere = { timeout: 4_000, interval: 50 }

/** A client of each API of a stand. */
function clientsOf({ apis }: Stand, apiKey = adminKey): [Call, Call] {
  const [first = { url: '' }, second = { url: '' }] = apis
  return [createClient({ baseUrl: first.url, apiKey }), createClient({ baseUrl: second.url, apiKey })]
}

const statusOf = (call: Promise<unknown>): Promise<number> => call.then(() => 200, (error: unknown) => (error instanceof CallFailed ? error.status : 0))

describe('two APIs and three workers', () => {
  test('behave as one: keys, policies, cancels, caches, resources and restarts', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 2, workers: 3 })
    await shareKeys(stand)
    await sharePolicies(stand)
    await shareCancels(stand)
    await shareCaches(stand)
    await shareRestarts(stand)
    expect(complaintsOf(stand)).not.toContain('"level":"error"')
  })
})

/** A key works everywhere at once, and nowhere soon after it was deleted. */
async function shareKeys(stand: Stand): Promise<void> {
  const [one, two] = clientsOf(stand)
  const { id, key } = await one('secrets.apiKey.generate', { body: {} })
  const holders = clientsOf(stand, key)
  for (const holder of holders) expect(await statusOf(holder('sirp.query.list'))).toBe(200)
  await two('secrets.apiKey.delete', { params: { id } })
  for (const holder of holders) await expect.poll(() => statusOf(holder('sirp.query.list')), everywhere).toBe(401)
}

/** A policy is in force on every API and for every worker, and so is its change. */
async function sharePolicies(stand: Stand): Promise<void> {
  const [one, two] = clientsOf(stand)
  const { site } = stand
  const { hostname: domain } = new URL(site.origin)
  const blocked = { name: 'blocked', domain, policy: { perSecond: 0 } }
  const { id } = await one('gonogo.policy.create', { body: blocked })
  const endings = async () => {
    const queries = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? one : two)('sirp.query.dispatchWait', { body: { query: `api get ${site.origin}/policy-${Date.now()}-${n}` } }))
    return [...new Set((await Promise.all(queries)).map(({ status, error }) => error?.code ?? status))]
  }
  await expect.poll(async () => (await two('gonogo.policy.check', { params: { domain }, body: {} })).allowed, everywhere).toBe(false)
  await expect.poll(endings, everywhere).toEqual(['policy_blocked'])
  await two('gonogo.policy.update', { params: { id }, body: { ...blocked, policy: {} } })
  await expect.poll(endings, everywhere).toEqual(['completed'])
  await one('gonogo.policy.delete', { params: { id } })
}

/** A query that one API has started is ended through the other, on whichever worker it runs. */
async function shareCancels(stand: Stand): Promise<void> {
  const [one, two] = clientsOf(stand)
  const hung = await Promise.all([1, 2, 3].map((n) => one('sirp.query.dispatch', { body: { query: `api get ${stand.site.origin}/hang-${n}` } })))
  await expect.poll(() => stand.site.hanging.size, { timeout: 20_000 }).toBe(3)
  for (const { id } of hung) await two('sirp.query.cancel', { params: { id } })
  const states = async () => (await Promise.all(hung.map(({ id }) => one('sirp.query.status', { params: { id } })))).map(({ status }) => status)
  await expect.poll(states, { timeout: 5_000, interval: 50 }).toEqual(['cancelled', 'cancelled', 'cancelled'])
  await expect.poll(() => stand.site.hanging.size, everywhere).toBe(0)
}

/** What one has fetched the other does not fetch again; what one has changed the other does not show from before. */
async function shareCaches(stand: Stand): Promise<void> {
  const [one, two] = clientsOf(stand)
  const rowsOf = async (call: Call, query: string) => (await call('sirp.query.dispatchWait', { body: { query } })).results.map((row) => ('content' in row ? row.content : row))
  for (const call of [one, two, one, two]) expect(await rowsOf(call, `api get ${stand.site.origin}/cached`)).toEqual([{ path: '/cached' }])
  expect(stand.site.hits.get('/cached')).toBe(1)
  const draft = { description: 'A number', query: 'range 1' }
  const { id } = await one('sirp.template.create', { body: { name: 'shared', ...draft } })
  expect(await rowsOf(two, 'runTemplate shared')).toHaveLength(1)
  await two('sirp.template.update', { params: { id }, body: { query: 'range 2' } })
  expect(await rowsOf(one, 'runTemplate shared')).toHaveLength(2)
  const upload = (call: Call, value: string) => call('sirp.cellarFile.upload', { query: { replace: true }, body: { name: { value: 'shared.csv' }, content: { value } } })
  await upload(one, 'a\n1\n')
  expect(await rowsOf(two, 'thaw shared.csv')).toEqual([{ a: 1 }])
  await upload(two, 'a\n2\n')
  expect(await rowsOf(one, 'thaw shared.csv')).toEqual([{ a: 2 }])
  const headers = { 'Idempotency-Key': 'shared' }
  const starts = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two)('sirp.query.dispatch', { body: { query: 'range 4' }, headers })))
  expect(new Set(starts.map((start) => start.id)).size).toBe(1)
}

/** A restart that one API is asked for takes place in every process. */
async function shareRestarts(stand: Stand): Promise<void> {
  const [one, two] = clientsOf(stand)
  const { restarted } = await two('sirp.service.restart', { params: { type: 'jobs' }, headers: { Prefer: 'wait=40' } })
  expect(restarted).toHaveLength(stand.places.length)
  const { processes } = await one('sirp.service.status', { params: { service: 'jobs' } })
  expect(processes.map(({ id }) => id).toSorted()).toEqual(restarted.toSorted())
}
