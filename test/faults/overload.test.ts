import autocannon from 'autocannon'
import { describe, expect, test } from 'vitest'
import { send } from '../../src/client/index.ts'
import { operations } from '../../src/contract/index.ts'
import { pause } from '../../src/platform/clock.ts'
import { Wire } from '../support/wire.ts'
import { comeToRest } from './harness/load.ts'
import { adminKey, complaintsOf, openStand } from './harness/stand.ts'
import { statesOf } from './harness/verdict.ts'

const [perKey, atOnce, floodMs, slowSockets] = [25, 250, 30_000, 1_000]

/** A flood of one key finds its bounds well before the others do. */
const settings = {
  MAX_REQUESTS: '300',
  MAX_REQUESTS_PER_KEY: String(perKey),
  MAX_QUEUED: '400',
  MAX_QUEUED_PER_KEY: '200',
  HEADERS_TIMEOUT_MS: '4000',
}

const { path } = operations['sirp.query.dispatch']

describe('ten times as many requests as a key may have, and a thousand slow sockets', () => {
  test('are answered with 202, 429 and 503 with Retry-After alone, harm no healthy client, and leave no trace', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 1, settings })
    const [{ url } = { url: '' }] = stand.apis
    const { key } = await stand.call('secrets.apiKey.generate', { body: {} })
    const over = AbortSignal.timeout(floodMs)
    const [flooded, healthy, pressed] = await Promise.all([flood(url, key), stayHealthy(url, over), press(url, key, over), openSlow(url, over)])

    expect(healthy.statuses).toEqual(new Set([200, 202]))
    expect(healthy.p95Ms).toBeLessThan(3_000)
    expect(Object.keys(flooded.answers).filter((status) => !['202', '429', '503'].includes(status))).toEqual([])
    expect(flooded.answers['429']).toBeGreaterThan(0)
    expect([...pressed].filter((answer) => !['202', '429', '503'].includes(answer))).toEqual([])
    await expect.poll(() => ask(url, key), { timeout: 5_000, interval: 100 }).toBe('202')

    await comeToRest(stand)
    const states = await statesOf(stand.databaseUrl)
    expect(states.filter(({ status }) => status !== 'completed'), complaintsOf(stand)).toEqual([])
    expect(states.length).toBeGreaterThanOrEqual(flooded.answers['202'] ?? 0)
    expect(stand.places.filter(({ hasEnded }) => hasEnded)).toEqual([])
  })
})

/** Dispatches as fast as the answers come, many at once; answers how often there was which status. */
async function flood(url: string, key: string): Promise<{ readonly answers: Readonly<Record<string, number>> }> {
  const headers = { 'authorization': `svc ${key}`, 'content-type': 'application/json' }
  const options = { url: `${url}${path}`, method: 'POST' as const, headers, body: JSON.stringify({ query: 'range 3' }), connections: atOnce, duration: floodMs / 1000, timeout: 30 }
  const { statusCodeStats = {}, errors } = await autocannon(options)
  expect(errors).toBe(0)
  return { answers: Object.fromEntries(Object.entries(statusCodeStats).map(([status, { count }]) => [status, count ?? 0])) }
}

/** What a dispatch is answered with: its status, and whether the header is missing that says when to come again. */
async function ask(baseUrl: string, apiKey: string): Promise<string> {
  const response = await send({ baseUrl, apiKey }, 'sirp.query.dispatch', { body: { query: 'range 3' } })
  await response.text()
  return response.ok || response.headers.has('retry-after') ? String(response.status) : `${response.status} without Retry-After`
}

/** Asks in the midst of the flood, with its key. */
async function press(url: string, key: string, over: AbortSignal): Promise<ReadonlySet<string>> {
  const answers = new Set<string>()
  while (!over.aborted) answers.add(await ask(url, key))
  return answers
}

/** Another key goes on reading and dispatching at its own pace. */
async function stayHealthy(baseUrl: string, over: AbortSignal): Promise<{ readonly statuses: ReadonlySet<number>; readonly p95Ms: number }> {
  const to = { baseUrl, apiKey: adminKey }
  const [statuses, times] = [new Set<number>(), [] as number[]]
  while (!over.aborted) {
    const startedAt = performance.now()
    const isRead = times.length % 3 > 0
    const response = await (isRead ? send(to, 'sirp.query.list', { query: { limit: 1 } }) : send(to, 'sirp.query.dispatch', { body: { query: 'range 2' } }))
    await response.text()
    statuses.add(response.status)
    times.push(performance.now() - startedAt)
    await pause(100)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { statuses, p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN }
}

/** Opens sockets whose requests never become whole, and others where these are cut. */
async function openSlow(url: string, over: AbortSignal): Promise<void> {
  const wires: (Wire | undefined)[] = Array.from({ length: slowSockets })
  while (!over.aborted) {
    for (const [index, wire] of wires.entries()) {
      if (wire?.socket.writable) wire.write('x')
      else wires[index] = await Wire.open(url).catch(() => undefined)
      if (wires[index] !== wire) wires[index]?.write(`POST ${path} HTTP/1.1\nHost: quern\nX-Slow: `)
    }
    await pause(1_000, over)
  }
  for (const wire of wires) wire?.close()
}
