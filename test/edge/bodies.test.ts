import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startApi, test, type RunningApi } from '../support/api.ts'
import { expectProblem, type ProblemBody } from '../support/problems.ts'
import { postText, requestText } from '../support/rawRequest.ts'
import { exchange, Wire } from '../support/wire.ts'
import { cpuMsOf } from '../support/cpuMs.ts'

const policies = '/v1/gonogo/policies'
const maxBytes = 8 * 2 ** 20

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream

function post(api: RunningApi, body: Body, headers: Record<string, string> = {}, path = policies): Promise<Response> {
  const streamed = body instanceof ReadableStream ? { duplex: 'half' as const } : {}
  return fetch(api.url + path, { method: 'POST', headers: { 'Authorization': `svc ${api.adminKey}`, 'Content-Type': 'application/json', ...headers }, body, ...streamed })
}

/** A draft of a policy, as text, with one more member. */
const draft = (domain: string, more = ''): string => `{"name": "n", "domain": "${domain}", "policy": {}${more}}`

const healthy = async (api: RunningApi): Promise<void> => expect((await fetch(`${api.url}${policies}`, { headers: { Authorization: `svc ${api.adminKey}` } })).status).toBe(200)

describe('JSON that is none', () => {
  test.for([
    ['', 'line 1, column 1'],
    ['{', 'line 1, column 2'],
    ['{"a":1,}', 'line 1, column 8'],
    ['{"hunter2": tru}', 'line 1, column 13'],
    ['hunter2', 'line 1, column 1'],
    ['{"a": "hunter2\n"}', 'line 1, column 15'],
    ['{\n  "a": 1\n  "hunter2": 2\n}', 'line 3, column 3'],
    ['{"a": "hunter2\\x"}', 'line 1, column 15'],
    ['{"a": "hunter2\\u12g4"}', 'line 1, column 15'],
    ['[1, 2', 'line 1, column 6'],
    ['[1 2]', 'line 1, column 4'],
    ['{"a" 1}', 'line 1, column 6'],
    ['{a: 1}', 'line 1, column 2'],
    ['{"a": 01}', 'line 1, column 8'],
    ['{"a": 1}}', 'line 1, column 9'],
    ['{"a": "hunter2', 'line 1, column 15'],
    ['NaN', 'line 1, column 1'],
    ["{'a': 1}", 'line 1, column 2'],
    ['\u00a0{}', 'line 1, column 1'],
  ])('%j is refused at its place and not quoted', async ([text, place], { api }) => {
    // Chunked, because an empty body with a length counts as no body at all.
    const answer = await exchange(api.url, requestText(api, `POST ${policies}`, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }), ...(text ? [chunk(text)] : []), chunk(''))
    const problem = await expectProblem(answer, 'malformed_json')
    expect(problem.detail).toBe(`The body is not valid JSON: see ${place}.`)
    expect(answer.body).not.toContain('hunter2')
  })

  test('bytes that are no UTF-8 are refused', async ({ api }) => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
      await expectProblem(await post(api, new Uint8Array(Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]))), 'malformed_json')
    }
  })

  test('a byte order mark is passed over, but only one and only at the beginning', async ({ api }) => {
    expect((await post(api, `\ufeff${draft('bom.example')}`)).status).toBe(201)
    await expectProblem(await post(api, `\ufeff\ufeff${draft('two.example')}`), 'malformed_json')
  })

  test('a large malformed body is answered quickly', async ({ api }) => {
    const started = performance.now()
    await expectProblem(await post(api, `[1${',\n1'.repeat(2_500_000)},}`), 'malformed_json')
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('JSON that would harm', () => {
  const nested = (levels: number): string => `${'[['.repeat(levels)}${']]'.repeat(levels)}`

  test('64 levels pass the parser, 65 do not', async ({ api }) => {
    const check = `/v1/gonogo/policies/check/deep.example`
    const deep = (levels: number) => `{"domainDispatches": [[0, ${'['.repeat(levels - 3)}${']'.repeat(levels - 3)}]]}`
    const status = (await post(api, deep(64), {}, check)).status
    expect([200, 501]).toContain(status)
    expect((await expectProblem(await post(api, deep(65), {}, check), 'bad_request')).detail).toContain('64 levels')
  })

  test.for([nested(50_000), '['.repeat(100_000), '{"a":'.repeat(100_000)])('a hundred thousand levels are refused quickly', async (text, { api }) => {
    expect(await cpuMsOf(async () => expectProblem(await post(api, text), 'bad_request'))).toBeLessThan(1_000)
  })

  test('brackets inside of texts do not count', async ({ api }) => {
    expect((await post(api, `{"name": ${JSON.stringify(`${'['.repeat(500)}\\"`)}, "domain": "brackets.example", "policy": {}}`)).status).toBe(201)
  })

  test.for([
    ['"__proto__": {}', ''],
    ['"constructor": {}', ''],
    ['"prototype": {}', ''],
    ['"\\u005f_proto__": {}', ''],
    ['"__pro\\u0074o__": 1', ''],
    ['"c\\u006fnstructor": 1', ''],
    ['"x": {"y": [1, {"__proto__": {"admin": true}}]}', '/x/y/1'],
    ['"x/y~": {"\\u0070rototype": 1}', '/x~1y~0'],
  ])('a field %s is refused at any depth, however it is written', async ([member, path], { api }) => {
    const problem = await expectProblem(await post(api, draft('proto.example', `, ${member}`)), 'validation_failed')
    expect(problem.errors).toEqual([{ path, message: expect.stringMatching(/^must not have a field named (__proto__|constructor|prototype)$/) as string }])
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  test.for([
    ['{"name": "a\\u0000b"}', '/name', 'must not hold the character NUL'],
    ['{"a\\u0000b": 1}', '', 'must not hold the character NUL'],
    ['{"name": "\\ud800"}', '/name', 'must not hold half a surrogate pair'],
    ['{"name": "\\udc00\\ud800"}', '/name', 'must not hold half a surrogate pair'],
    ['{"policy": {"\\udfff": 1}}', '/policy', 'must not hold half a surrogate pair'],
    ['{"list": [1, 1e999]}', '/list/1', 'is a number beyond the range of a double'],
    ['{"n": -1E+400}', '/n', 'is a number beyond the range of a double'],
    [`{"n": ${'9'.repeat(400)}}`, '/n', 'is a number beyond the range of a double'],
  ])('%s is refused with its place', async ([text, path, message], { api }) => {
    const problem = await expectProblem(await post(api, text ?? ''), 'validation_failed')
    expect(problem.errors).toEqual([{ path, message }])
  })

  test('whole surrogate pairs, escapes and small exponents pass', async ({ api }) => {
    const response = await post(api, '{"name": "\\ud83d\\ude00 \\u00e9 \\"quoted\\"", "domain": "escapes.example", "policy": {"perSecond": 1e1}}')
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ name: '😀 é "quoted"', policy: { perSecond: 10 } })
  })

  test.for([
    ['millions of small numbers', `[${'1e1,'.repeat(2_000_000)}1]`],
    ['half a million unknown fields', `{"\\u0041":1${Array.from({ length: 500_000 }, (_, index) => `,"k${index}":1`).join('')}}`],
    ['a name of eight million characters', draft('x.example').replace('"n"', `"${'é'.repeat(4_000_000)}"`)],
    ['a million scopes', `{"scopes": [${'"admin",'.repeat(1_000_000)}"admin"]}`],
  ])('a body with %s is refused without blocking others for long', async ([, text], { api }) => {
    const path = text?.startsWith('{"scopes"') ? '/v1/secrets/apikeys' : policies
    const started = performance.now()
    const problem = await expectProblem(await post(api, text ?? '', {}, path), 'validation_failed')
    expect(performance.now() - started).toBeLessThan(6_000)
    expect(problem.errors?.length).toBeLessThanOrEqual(64)
    expect(JSON.stringify(problem).length).toBeLessThan(10_000)
  })
})

describe('bodies of another form', () => {
  test.for(['null', '[]', '"text"', '1', 'true'])('%s is no object', async (text, { api }) => {
    const problem = await expectProblem(await post(api, text), 'validation_failed')
    expect(problem.errors).toEqual([{ path: '', message: 'must be an object' }])
  })

  test('no body where one is needed is told', async ({ api }) => {
    const problem = await expectProblem(await exchange(api.url, postText(api, policies, '')), 'validation_failed')
    expect(problem.detail).toBe('The body must be an object.')
  })

  test('no body, an empty one and an empty object are the same where none is needed', async ({ api }) => {
    const restart = async (text: string): Promise<string> => (JSON.parse((await exchange(api.url, text)).body) as ProblemBody).code ?? 'done'
    const path = '/v1/gonogo/restart'
    const codes = [await restart(requestText(api, `POST ${path}`, { 'Content-Length': '0' })), await restart(requestText(api, `POST ${path}`)), await restart(postText(api, path, '{}'))]
    expect(codes).toEqual([codes[0], codes[0], codes[0]])
    expect(codes[0]).not.toMatch(/validation_failed|unsupported_media_type|malformed_json/)
    await expectProblem(await exchange(api.url, postText(api, path, '{"x":1}')), 'validation_failed')
  })

  test('an optional body may be left out', async ({ api }) => {
    expect((await exchange(api.url, requestText(api, 'POST /v1/secrets/apikeys', { 'Content-Length': '0' }))).status).toBe(201)
  })

  test.for([
    undefined, '', 'text/plain', 'text/json', 'application/json-patch+json', 'application/problem+json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
    'application/json; charset=utf-16', 'application/json;charset="iso-8859-1"', 'application/jsonx', 'json', ';', 'text/plain; application/json', 'text/plain, application/json',
  ])('the content type %j is refused', async (type, { api }) => {
    const answer = await exchange(api.url, postText(api, policies, draft('type.example'), { 'Content-Type': type ?? null }))
    await expectProblem(answer, 'unsupported_media_type')
  })

  test.for(['application/json', 'APPLICATION/JSON', 'application/json;charset=utf-8', 'application/json; charset="UTF-8"', 'application/json ; charset=utf8'])('the content type %j is taken', async (type, { api }) => {
    const answer = await exchange(api.url, postText(api, policies, '{}', { 'Content-Type': type }))
    await expectProblem(answer, 'validation_failed')
  })

  test.for(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'x'])('the content encoding %j is refused', async (encoding, { api }) => {
    await expectProblem(await exchange(api.url, postText(api, policies, draft('encoding.example'), { 'Content-Encoding': encoding })), 'unsupported_media_type')
  })
})

describe('bodies beyond the limit', () => {
  const filled = (bytes: number): string => draft('large.example').padEnd(bytes, ' ')

  test('exactly 8 MiB are fine', async ({ api }) => {
    expect((await post(api, filled(maxBytes))).status).toBe(201)
  })

  test('one byte more is refused by its length before it is sent', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, `POST ${policies}`, { 'Content-Type': 'application/json', 'Content-Length': String(maxBytes + 1) }))
    const problem = await expectProblem(await wire.next(), 'body_too_large')
    expect(problem.detail).toContain('8,388,608 bytes')
    wire.close()
  })

  test('a client that sends it all the same gets its answer', async ({ api }) => {
    await expectProblem(await post(api, filled(maxBytes + 1)), 'body_too_large')
    await expectProblem(await post(api, filled(maxBytes * 2)), 'body_too_large')
  })

  test('a chunked body is counted while it comes', async ({ api }) => {
    const stream = (bytes: number): ReadableStream => {
      let left = bytes
      return new ReadableStream({
        pull(controller) {
          if (left <= 0) return controller.close()
          controller.enqueue(Buffer.from(left === bytes ? draft('chunked.example').padEnd(Math.min(left, 65_536)) : ' '.repeat(Math.min(left, 65_536))))
          left -= 65_536
        },
      })
    }
    await expectProblem(await post(api, stream(maxBytes + 1)), 'body_too_large')
    expect((await post(api, stream(maxBytes))).status).toBe(201)
  })

  test('a client that never stops sending loses its connection and harms nobody', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, `POST ${policies}`, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }))
    const piece = chunk('x'.repeat(65_536))
    const flood = setInterval(() => wire.socket.writableNeedDrain || wire.write(piece), 1)
    await expectProblem(await wire.next(), 'body_too_large')
    await healthy(api)
    await wire.closed
    clearInterval(flood)
  })

  test('also after a refusal that did not look at the body', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, `POST ${policies}`, { 'Authorization': null, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }))
    const trickle = setInterval(() => wire.write(chunk('x')), 100)
    await expectProblem(await wire.next(), 'unauthorized')
    await wire.closed
    clearInterval(trickle)
  })

  test('a GET with a body that never ends is answered, and cut off', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, 'GET /healthz', { 'Content-Length': '100000' }))
    expect((await wire.next()).status).toBe(200)
    await wire.closed
  })

  test('a refused body that ends in time leaves the connection usable', async ({ api }) => {
    const wire = await Wire.open(api.url)
    wire.write(requestText(api, `POST ${policies}`, { 'Content-Type': 'text/plain', 'Content-Length': '100000' }))
    await expectProblem(await wire.next(), 'unsupported_media_type')
    wire.write(Buffer.alloc(100_000, 0x20))
    wire.write(requestText(api, 'GET /healthz'))
    expect((await wire.next()).status).toBe(200)
    wire.close()
  })
})

describe('bodies that come slowly, in pieces or not at all', () => {
  let api: RunningApi
  beforeAll(async () => (api = await startApi({ BODY_TIMEOUT_MS: '400', MAX_REQUESTS: '3' })))
  afterAll(() => api.close())

  const begin = async (body = '{"name"', headers: Record<string, string | null> = {}): Promise<Wire> => {
    const wire = await Wire.open(api.url)
    wire.write(postText(api, policies, body, { 'Content-Length': '1000', ...headers }))
    return wire
  }

  test('a body that stalls is a 408', async () => {
    const started = performance.now()
    const wire = await begin()
    await expectProblem(await wire.next(), 'request_timeout')
    expect(performance.now() - started).toBeLessThan(2_000)
    await wire.closed
  })

  test('a body that dribbles is a 408 too', async () => {
    const wire = await begin()
    const dribble = setInterval(() => wire.write(' '), 50)
    await expectProblem(await wire.next(), 'request_timeout')
    clearInterval(dribble)
    wire.close()
  })

  test('a body that is cut off frees its place at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const wires = await Promise.all([begin(), begin(), begin()])
      for (const wire of wires) wire.close()
      await Promise.all(wires.map((wire) => wire.closed))
    }
    await expect.poll(async () => (await exchange(api.url, requestText(api, `GET ${policies}`))).status, { timeout: 300 }).toBe(200)
  })

  test('a client that is gone before its body is read does not hold its place', async () => {
    // A key that is seen for the first time is looked up in the database, and meanwhile the client goes away.
    const keys = await Promise.all(['a', 'b', 'c'].map(async (name) => JSON.parse((await exchange(api.url, postText(api, '/v1/secrets/apikeys', `{"name": "${name}"}`))).body) as { key: string }))
    const wires = await Promise.all(keys.map(({ key }) => begin('', { Authorization: `svc ${key}` })))
    for (const wire of wires) wire.socket.resetAndDestroy()
    await expect.poll(async () => (await exchange(api.url, requestText(api, `GET ${policies}`))).status, { timeout: 300 }).toBe(200)
  })

  test('a body with a broken chunk is a 400', async () => {
    const wire = await begin('', { 'Content-Length': null, 'Transfer-Encoding': 'chunked' })
    wire.write('zz\n{}\n')
    await expectProblem(await wire.next(), 'bad_request')
    await wire.closed
  })

  test('a body in single bytes is read', async () => {
    const body = draft('bytes.example')
    const wire = await begin('', { 'Content-Length': String(body.length) })
    for (const char of body) wire.write(char)
    expect((await wire.next()).status).toBe(201)
    wire.close()
  })

  test('a client that asks first is told to go on', async () => {
    const body = draft('continue.example')
    const wire = await begin('', { 'Content-Length': String(body.length), 'Expect': '100-continue' })
    expect((await wire.next()).status).toBe(100)
    wire.write(body)
    expect((await wire.next()).status).toBe(201)
    wire.close()
  })

  test('an expectation that nobody knows is passed over', async () => {
    expect((await exchange(api.url, requestText(api, `GET ${policies}`, { Expect: 'miracles' }))).status).toBe(200)
  })

  test('pipelined requests are answered in their order', async () => {
    const wire = await Wire.open(api.url)
    const bodies = ['first', 'second', 'third'].map((name) => draft(`${name}.example`))
    wire.write(bodies.map((body) => postText(api, policies, body)).join('') + requestText(api, 'GET /healthz'))
    const answers = [await wire.next(), await wire.next(), await wire.next(), await wire.next()]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200])
    expect(answers.slice(0, 3).map(({ body }) => (JSON.parse(body) as { domain: string }).domain)).toEqual(['first.example', 'second.example', 'third.example'])
    wire.close()
  })

  test('a good request is answered before the broken one behind it ends the connection', async () => {
    const wire = await Wire.open(api.url)
    wire.write(`${postText(api, policies, draft('before.example'))}BROKEN\n\n`)
    expect((await wire.next()).status).toBe(201)
    await wire.closed
    expect(wire.rest).toBe('')
  })
})

/** One chunk of a chunked body; the empty text ends it. */
function chunk(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(bytes.length === 0 ? '0\r\n' : `${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}
