import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startApi, test, unknownId, type RunningApi } from '../support/api.ts'
import { expectProblem, expectSecurityHeaders } from '../support/problems.ts'
import { postText, requestText } from '../support/rawRequest.ts'
import { methodsOf, operationPaths } from '../support/table.ts'
import { exchange, Wire } from '../support/wire.ts'
import { cpuMsOf } from '../support/cpuMs.ts'

const policies = '/v1/gonogo/policies'

const get = (api: RunningApi, target: string, headers: Record<string, string | null> = {}) => exchange(api.url, requestText(api, `GET ${target}`, headers))

describe('paths', () => {
  test.for([
    '/V1/gonogo/policies', '/v1/Gonogo/policies', '/v1/gonogo/POLICIES', '/v1/gonogo/policies/', '/v1/gonogo//policies', '//v1/gonogo/policies', '/v1//gonogo/policies',
    '/v1/gonogo/policies//', '/v1/gonogo/./policies', '/v1/x/../gonogo/policies', '/v1/gonogo/policies;x=1', '/v1/gonogo/policies%20', '/v1/gonogo/policies%2f',
    '/v1%2fgonogo%2fpolicies', '/v1', '/v1/', '/', '/v2/gonogo/policies', '/healthz/', '/HEALTHZ', '/readyz/x', '/docs/', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/index.html',
    '/v1/openapi.json/', '/metricsx', '/.env', `/v1/gonogo/policies/${unknownId}/x`,
  ])('%s is no route', async (path, { api }) => {
    const answer = await get(api, path)
    if (path === '/') expect(answer.status).not.toBe(404) // the front page sends people on to what they may look for
    else await expectProblem(answer, 'not_found')
  })

  test('a step of percent-encoded text is one parameter, slashes and all', async ({ api }) => {
    const made = await exchange(api.url, postText(api, '/v1/secrets/prompts', JSON.stringify({ name: 'a/b', prompt: 'text' })))
    expect(made.status).toBe(201)
    expect(made.headers['location']).toBe('/v1/secrets/prompts/a%2Fb')
    for (const path of ['a%2fb', 'a%2Fb', '%61%2fb']) expect(JSON.parse((await get(api, `/v1/secrets/prompts/${path}`)).body)).toMatchObject({ name: 'a/b' })
    await expectProblem(await get(api, '/v1/secrets/prompts/a%252fb'), 'not_found')
    await expectProblem(await get(api, '/v1/secrets/prompts/a/b'), 'not_found')
  })

  test.for(['/v1/secrets/prompts/%zz', '/v1/secrets/prompts/%', '/v1/secrets/prompts/%f', '/v1/secrets/prompts/%ff', '/v1/secrets/prompts/%c0%80', '/v1/secrets/prompts/%ed%a0%80', '/v1/secrets/prompts/a%00b', '/%00', '/v1/secrets/prompts?limit=%zz', '/v1/secrets/prompts?limit=%ff', '/v1/secrets/prompts?%00=1'])(
    '%s is no valid address',
    async (path, { api }) => {
      await expectProblem(await get(api, path), 'bad_request')
    },
  )

  test.for(['*', 'http://[', 'http://[::1', 'http://a:b:c/', 'http://%zz/', 'https://', 'x:y', '//', 'http://quern:99999/healthz'])('the request target %s is answered, never with a 500', async (target, { api }) => {
    const { status } = await get(api, target)
    expect([200, 400, 404]).toContain(status)
  })

  test('an absolute target means its path', async ({ api }) => {
    expect((await get(api, 'http://quern/healthz')).status).toBe(200)
  })

  test('a long path is a 404, one beyond the headers a 431', async ({ api }) => {
    await expectProblem(await get(api, `/v1/${'x'.repeat(14_000)}`), 'not_found')
    await expectProblem(await get(api, `/v1/secrets/prompts/${'x'.repeat(14_000)}`), 'validation_failed')
    await expectProblem(await get(api, `/v1/${'x'.repeat(17_000)}`), 'headers_too_large')
  })

  test('a path value that its schema refuses is named', async ({ api }) => {
    const problem = await expectProblem(await get(api, `${policies}/not-a-uuid`), 'validation_failed')
    expect(problem.errors).toEqual([{ path: '/id', in: 'path', message: expect.stringMatching(/^must be a UUID/) as string }])
  })
})

describe('methods', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

  test.for(operationPaths)('%s (%s) answers every other method with 405 and what it allows', async ([path], { api }) => {
    const known = methodsOf(path)
    for (const method of methods.filter((one) => !known.includes(one))) {
      const answer = await exchange(api.url, requestText(api, `${method} ${path}`, { 'Content-Length': '0' }))
      expect({ method, status: answer.status, allow: answer.headers['allow'] }).toEqual({ method, status: 405, allow: known.join(', ') })
      if (method !== 'HEAD') await expectProblem(answer, 'method_not_allowed')
    }
  })

  test('HEAD answers the headers of a GET and nothing else', async ({ api }) => {
    for (const path of ['/healthz', policies, '/v1/openapi.json', '/docs', '/docs/swagger-ui.css', `${policies}/${unknownId}`]) {
      const response = await fetch(api.url + path, { headers: { Authorization: `svc ${api.adminKey}` } })
      const length = Buffer.byteLength(await response.text())
      const wire = await Wire.open(api.url)
      wire.write(requestText(api, `HEAD ${path}`, { Connection: 'close' }))
      await wire.closed
      expect(wire.rest).toMatch(new RegExp(`^HTTP/1.1 ${response.status} `))
      expect(wire.rest).toMatch(/\r\n\r\n$/)
      if (!path.endsWith('.css')) expect(wire.rest).toContain(`Content-Length: ${length}\r\n`)
    }
  })

  test('CONNECT and unknown words are answered', async ({ api }) => {
    await expectProblem(await exchange(api.url, 'CONNECT quern:443 HTTP/1.1\nHost: quern\n\n'), 'bad_request')
    await expectProblem(await exchange(api.url, 'MIRACLE / HTTP/1.1\nHost: quern\n\n'), 'bad_request')
  })

  test('an upgrade that nobody offers is an ordinary request', async ({ api }) => {
    expect((await get(api, '/healthz', { 'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' })).status).toBe(200)
  })
})

describe('query parameters', () => {
  const at = async (api: RunningApi, query: string) => (await expectProblem(await get(api, `${policies}?${query}`), 'validation_failed')).errors

  test.for([
    ['page=1', '/page'], ['Limit=1', '/Limit'], ['limit[]=1', '/limit[]'], ['__proto__=1', '/__proto__'], ['__proto__', '/__proto__'], ['constructor=1', '/constructor'], ['constructor', '/constructor'], ['toString', '/toString'], ['=1', '/'], ['a%2fb=1', '/a~1b'],
  ])('%s is unknown', async ([query, path], { api }) => {
    expect(await at(api, query ?? '')).toEqual([{ path, in: 'query', message: 'is not a known field' }])
  })

  test('also on a route that takes none, and all of them are named', async ({ api }) => {
    const problem = await expectProblem(await get(api, `${policies}/${unknownId}?a=1&b=2`), 'validation_failed')
    expect(problem.errors).toEqual([{ path: '/a', in: 'query', message: 'is not a known field' }, { path: '/b', in: 'query', message: 'is not a known field' }])
    await expectProblem(await get(api, '/healthz?x=1'), 'validation_failed')
  })

  test('a repeated one is refused', async ({ api }) => {
    expect(await at(api, 'limit=1&limit=1')).toEqual([{ path: '/limit', in: 'query', message: 'must be given once' }])
    expect(await at(api, 'limit=1&offset=0&limit=2&offset=3')).toHaveLength(2)
  })

  test.for(['0', '1001', 'abc', '1.5', '-1', '', '1e2', '0x10', ' 5', '+5', '٣', 'NaN', 'Infinity', '9'.repeat(400), 'null', 'true'])('limit=%s is refused', async (value, { api }) => {
    expect(await at(api, `limit=${encodeURIComponent(value)}`)).toMatchObject([{ path: '/limit', in: 'query' }])
  })

  test.for(['-1', '1.5', 'x', '', '9007199254740992', '-0.5'])('offset=%s is refused', async (value, { api }) => {
    expect(await at(api, `offset=${value}`)).toMatchObject([{ path: '/offset', in: 'query' }])
  })

  test.for([['limit=1', 0, 1], ['limit=1000', 0, 1000], ['offset=0&limit=007', 0, 7], ['offset=9007199254740991', Number.MAX_SAFE_INTEGER, 100], ['', 0, 100]] as const)('%s is a page', async ([query, offset, limit], { api }) => {
    const answer = await get(api, `${policies}?${query}`)
    expect({ status: answer.status, ...(JSON.parse(answer.body) as object) }).toMatchObject({ status: 200, offset, limit })
  })

  test('thousands of parameters are refused quickly', async ({ api }) => {
    const ms = await cpuMsOf(async () => {
      expect((await at(api, Array.from({ length: 2_000 }, (_, index) => `p${index}`).join('&')))?.length).toBe(64)
      expect((await at(api, 'a&'.repeat(7_000)))?.length).toBe(1)
    })
    expect(ms).toBeLessThan(500)
  })
})

describe('HTTP itself', () => {
  test('headers of 17 KiB are a 431, those of 15 KiB are fine', async ({ api }) => {
    await expectProblem(await get(api, '/healthz', { 'X-Long': 'x'.repeat(17 * 1024) }), 'headers_too_large')
    expect((await get(api, '/healthz', { 'X-Long': 'x'.repeat(15 * 1024) })).status).toBe(200)
  })

  test('no header is lost among hundreds', async ({ api }) => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`X-${index}`, 'x']))
    expect((await get(api, policies, { Authorization: null, ...many })).status).toBe(401)
    expect((await get(api, policies, { Authorization: null, ...many, authorization: `svc ${api.adminKey}` })).status).toBe(200)
  })

  test.for([
    ['no HTTP at all', 'hello\n\n'],
    ['TLS on a plain port', Buffer.from('16030100a5010000a10303', 'hex')],
    ['another version', 'GET /healthz HTTP/9.9\nHost: quern\n\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\nHost quern\n\n'],
    ['a folded header', 'GET /healthz HTTP/1.1\nHost: quern\nX-A: 1\n 2\n\n'],
    ['a control character in a header', Buffer.from('GET /healthz HTTP/1.1\r\nHost: quern\r\nX-A: a\x01b\r\n\r\n', 'latin1')],
    ['a NUL in a header', Buffer.from('GET /healthz HTTP/1.1\r\nHost: quern\r\nX-A: a\0b\r\n\r\n', 'latin1')],
    ['a space before the colon', 'GET /healthz HTTP/1.1\nHost : quern\n\n'],
    ['two lengths', 'POST /v1/gonogo/policies HTTP/1.1\nHost: quern\nContent-Length: 1\nContent-Length: 2\n\nxx'],
    ['a length that is none', 'POST /v1/gonogo/policies HTTP/1.1\nHost: quern\nContent-Length: -1\n\n'],
    ['a length beside chunks', 'POST /v1/gonogo/policies HTTP/1.1\nHost: quern\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n'],
    ['a transfer encoding that is no chunked', 'POST /v1/gonogo/policies HTTP/1.1\nHost: quern\nTransfer-Encoding: chunked, gzip\n\n0\n\n'],
    ['no host', 'GET /healthz HTTP/1.1\n\n'],
    ['bytes beyond ASCII in the path', Buffer.from('GET /h\xe9 HTTP/1.1\r\nHost: quern\r\n\r\n', 'latin1')],
  ] as const)('%s is a 400', async ([, data], { api }) => {
    await expectProblem(await exchange(api.url, data), 'bad_request')
  })

  test('bare line feeds do not smuggle a request', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(Buffer.from(`GET /healthz HTTP/1.1\nHost: quern\n\n`))
    expect((await wire.next()).status).toBeOneOf([200, 400])
    wire.close()
  })

  test('HTTP/1.0 is served and closed', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(`GET ${policies} HTTP/1.0\nAuthorization: svc ${api.adminKey}\n\n`)
    expect((await wire.next()).status).toBe(200)
    await wire.closed
  })

  test('X-Request-Id is echoed in the answer, the problem and the log', async ({ api }) => {
    for (const id of ['my-id', '~', 'x'.repeat(128), '"<>&\\']) {
      const problem = await expectProblem(await get(api, `${policies}/${unknownId}`, { 'X-Request-Id': id }), 'not_found')
      expect(problem.requestId).toBe(id)
      expect(api.logLines.some((line) => (JSON.parse(line) as { requestId?: string }).requestId === id)).toBe(true)
    }
  })

  test.for([null, '', 'x'.repeat(129), 'a b', 'é', 'a\tb'])('X-Request-Id %j is replaced by a new one', async (id, { api }) => {
    const made = (await get(api, '/healthz', { 'X-Request-Id': id })).headers['x-request-id']
    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    expect((await get(api, '/healthz', { 'X-Request-Id': id })).headers['x-request-id']).not.toBe(made)
  })
})

describe('headers of every answer', () => {
  test.for([
    ['GET', '/healthz', 200], ['GET', '/readyz', 200], ['GET', '/v1/openapi.json', 200], ['GET', policies, 200], ['GET', '/docs', 200], ['GET', '/docs/swagger-ui-bundle.js', 200], ['HEAD', '/docs', 200],
    ['GET', '/', 302], ['GET', '/nothing', 404], ['PUT', policies, 405], ['GET', `${policies}/${unknownId}`, 404], ['DELETE', `${policies}/${unknownId}`, 404], ['POST', policies, 400], ['GET', `${policies}/x`, 400],
  ] as const)('%s %s carries the headers that keep it safe', async ([method, path, status], { api }) => {
    const response = await fetch(api.url + path, { method, redirect: 'manual', headers: { Authorization: `svc ${api.adminKey}` } })
    expect(response.status).toBe(status)
    expectSecurityHeaders((name) => response.headers.get(name))
    expect(response.headers.get('x-request-id')).toMatch(/./)
    expect(response.headers.get('x-powered-by')).toBeNull()
    expect(response.headers.get('server')).toBeNull()
    if (!path.startsWith('/docs')) expect(response.headers.get('cache-control')).toBe('no-store')
    await response.text()
  })
})

describe('a connection', () => {
  let api: RunningApi
  beforeAll(async () => (api = await startApi({ IDLE_TIMEOUT_MS: '300', HEADERS_TIMEOUT_MS: '300' })))
  afterAll(() => api.close())

  test('that stays idle is closed', async () => {
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, 'GET /healthz'))
    expect((await wire.next()).status).toBe(200)
    await wire.closed
    expect(wire.rest).toBe('')
  })

  test('that never says a word is closed', async () => {
    const wire = await Wire.open(api.url)
    await wire.closed
  })

  test('that does not finish its headers gets a 408 and is closed, although the client keeps its end open', async () => {
    const wire = await Wire.open(api.url)
    wire.socket.allowHalfOpen = true
    wire.write('GET /healthz HTTP/1.1\nHost: quern\nX-Slow: ')
    await expectProblem(await wire.next(), 'request_timeout')
    const dribble = setInterval(() => wire.write('x'), 100)
    await wire.closed
    clearInterval(dribble)
  })
})
