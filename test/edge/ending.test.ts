import { describe, expect, test } from 'vitest'
import { startApi, type RunningApi } from '../support/api.ts'
import { postText, requestText } from '../support/rawRequest.ts'
import { Wire } from '../support/wire.ts'

const policies = '/v1/gonogo/policies'
const body = JSON.stringify({ name: 'n', domain: 'ending.example', policy: {} })

/** A request whose headers have been taken, and whose body is still to come. */
async function begin(api: RunningApi): Promise<Wire> {
  const wire = await Wire.open(api.url)
  wire.write(postText(api, policies, '', { 'Content-Length': String(body.length), 'Expect': '100-continue' }))
  expect((await wire.next()).status).toBe(100)
  return wire
}

describe('a process that ends', () => {
  test('finishes the request under way, closes its connection and takes no new one', async () => {
    const api = await startApi()
    const idle = await Wire.open(api.url)
    idle.write(requestText(api, 'GET /healthz'))
    expect((await idle.next()).status).toBe(200)
    const busy = await begin(api)
    const ended = api.close()
    await idle.closed
    await expect(Wire.open(api.url)).rejects.toThrow('ECONNREFUSED')
    busy.write(body)
    const answer = await busy.next()
    expect([answer.status, answer.headers['connection']]).toEqual([201, 'close'])
    await busy.closed
    await ended
  })

  test('still answers a request that had begun to arrive, and asks its client not to come again', async () => {
    const api = await startApi()
    const text = requestText(api, 'GET /healthz')
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, 'GET /healthz'))
    expect((await wire.next()).headers['connection']).toBe('keep-alive')
    wire.write(text.slice(0, 20))
    const busy = await begin(api) // by now the half of a request above has arrived as well
    const ended = api.close()
    wire.write(text.slice(20))
    const last = await wire.next()
    expect([last.status, last.headers['connection']]).toEqual([200, 'close'])
    busy.close()
    await ended
  })

  test('cuts off what does not end in time', async () => {
    const api = await startApi()
    const stuck = await begin(api)
    const started = performance.now()
    await api.close()
    await stuck.closed
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
