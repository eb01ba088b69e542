import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { openTransport, type Transport } from '../../../src/platform/egress/transport.ts'
import { bodyOf, openTarget, type HttpTarget } from '../../support/httpTarget.ts'

const signal = new AbortController().signal
let target: HttpTarget
let other: HttpTarget
let hidden: HttpTarget
let transport: Transport

beforeAll(async () => {
  other = await openTarget((_, response) => void response.end('other'))
  hidden = await openTarget((_, response) => void response.end('hidden'))
  target = await openTarget((request, response) => {
    const url = new URL(request.url ?? '', 'http://a')
    const [, kind, status = ''] = url.pathname.split('/')
    const to = url.searchParams.get('to') ?? ''
    if (kind === 'to') return void response.writeHead(Number(status), { location: to }).end('moved')
    if (kind === 'count') return void response.writeHead(302, { location: `/count/${Number(status) + 1}` }).end()
    if (kind === 'none') return void response.writeHead(302).end('nowhere')
    if (kind === 'upTo') return void (status === '10' ? response.end('ten') : response.writeHead(302, { location: `/upTo/${Number(status) + 1}` }).end())
    void bodyOf(request).then((body) => response.end(`${request.method} ${body}`))
  })
  const allowed = [`127.0.0.1:${target.port}`, `127.0.0.1:${other.port}`, `inner.example:80`]
  transport = openTransport(new EgressGuard(allowed, () => Promise.resolve(['10.0.0.1'])), { maxBytes: 100_000 })
})
afterAll(async () => {
  await transport.close()
  await Promise.all([target.close(), other.close(), hidden.close()])
})
beforeEach(() => void target.seen.splice(0))

const moved = (status: number, to: string, more = {}) =>
  transport.send({ method: 'GET', url: `${target.origin}/to/${status}?to=${encodeURIComponent(to)}`, ...more }, { signal })

describe('redirects', () => {
  test('to addresses in UTF-8 as it stands lead there', async () => {
    await (await moved(302, Buffer.from('/käse?q=é').toString('latin1'))).bytes()
    expect(target.seen.at(-1)).toBe('GET /k%C3%A4se?q=%C3%A9')
  })

  test.for<[status: number, method: string, then: string]>([
    [301, 'POST', 'GET '], [302, 'POST', 'GET '], [303, 'POST', 'GET '], [303, 'PUT', 'GET '], [307, 'POST', 'POST body'], [308, 'PUT', 'PUT body'],
    [301, 'PUT', 'PUT body'], [302, 'PATCH', 'PATCH body'], [302, 'DELETE', 'DELETE body'],
  ])('with %i turn %s into %s', async ([status, method, then]) => {
    const answer = await moved(status, '/end', { method, body: 'body', headers: { 'content-type': 'text/plain' } })
    expect((await answer.bytes()).toString()).toBe(then)
    expect(answer.url).toBe(`${target.origin}/end`)
    expect(target.headers['content-type']).toBe(then.endsWith('body') ? 'text/plain' : undefined)
  })

  test('leave HEAD as it is', async () => {
    await moved(302, '/end', { method: 'HEAD' })
    expect(target.seen.at(-1)).toBe('HEAD /end')
  })

  test('are answered themselves when they are not to be followed, or lead nowhere', async () => {
    const answer = await moved(302, '/end', { followRedirects: false })
    expect([answer.status, answer.headers['location'], (await answer.bytes()).toString()]).toEqual([302, '/end', 'moved'])
    expect((await (await transport.send({ method: 'GET', url: `${target.origin}/none` }, { signal })).bytes()).toString()).toBe('nowhere')
  })

  test('may be ten, and not more', async () => {
    const ten = await transport.send({ method: 'GET', url: `${target.origin}/upTo/0` }, { signal })
    expect((await ten.bytes()).toString()).toBe('ten')
    target.seen.splice(0)
    const sent = transport.send({ method: 'GET', url: `${target.origin}/count/0` }, { signal })
    await expect(sent).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining(`${target.origin}/count/11`) })
    expect(target.seen.length).toBe(11)
  })

  test('that go round in a circle end', async () => {
    const here = `/to/302?to=${encodeURIComponent('/to/302?to=%2Fend%23')}`
    const sent = transport.send({ method: 'GET', url: `${target.origin}/to/302?to=` }, { signal })
    await expect(sent).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining('circle') })
    expect((await (await transport.send({ method: 'GET', url: `${target.origin}${here}` }, { signal })).bytes()).toString()).toBe('GET ')
  })

  test('ask the hook for every hop', async () => {
    const hops: string[] = []
    const url = `${target.origin}/to/302?to=${encodeURIComponent(`${other.origin}/x`)}`
    await (await transport.send({ method: 'GET', url }, { signal, beforeHop: async (hop) => void hops.push(hop.host + hop.pathname) })).bytes()
    expect(hops).toEqual([`127.0.0.1:${target.port}/to/302`, `127.0.0.1:${other.port}/x`])
  })

  test('carry secrets within an origin only', async () => {
    const headers = {
      Authorization: 'Bearer hush', Cookie: 'a=hush', 'Proxy-Authorization': 'hush', 'X-Api-Key': 'hush', 'x-amz-security-token': 'hush', 'X-Session-Id': 'hush',
      Accept: 'text/html', 'X-Trace': 'kept',
    }
    await (await moved(302, '/end', { headers })).bytes()
    expect(target.headers).toMatchObject({ authorization: 'Bearer hush', cookie: 'a=hush', 'x-api-key': 'hush' })
    await (await moved(307, `${other.origin}/end`, { headers })).bytes()
    expect(other.headers).toMatchObject({ accept: 'text/html', 'x-trace': 'kept' })
    expect(JSON.stringify(other.headers)).not.toContain('hush')
  })

  test('do not bring secrets back after they have been dropped', async () => {
    const back = await openTarget((_, response) => void response.writeHead(302, { location: `${target.origin}/end` }).end())
    const guard = new EgressGuard(['127.0.0.0/8'])
    const wide = openTransport(guard, { maxBytes: 1_000 })
    const url = `${target.origin}/to/302?to=${encodeURIComponent(`${back.origin}/`)}`
    await (await wide.send({ method: 'GET', url, headers: { authorization: 'hush' } }, { signal })).bytes()
    expect(target.headers.authorization).toBeUndefined()
    await wide.close()
    await back.close()
  })

  test.for([
    () => 'http://169.254.169.254/latest/meta-data/', () => `${hidden.origin}/`, () => `http://localhost:${hidden.port}/`,
    () => 'http://private.example/', () => 'file:///etc/passwd',
    () => 'javascript:alert(1)', () => `http://user:hush@127.0.0.1:${target.port}/end`, () => 'http://[::ffff:127.0.0.1]/', () => '//metadata.google.internal/',
  ])('never lead to a place that is not open (%#)', async (to) => {
    await expect(moved(302, to())).rejects.toMatchObject({ code: 'target_forbidden' })
    expect(hidden.connections).toBe(0)
  })

  test('to something that is no address fail', async () => {
    await expect(moved(302, 'http://')).rejects.toMatchObject({ code: 'target_failed', message: expect.not.stringContaining('?') })
  })
})
