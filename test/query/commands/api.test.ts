import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget } from '../../support/target.ts'

describe('api', () => {
  test('makes a row an item of a JSON list, flattened', async () => {
    await using target = await openTarget(() => ({ body: [{ a: { b: [1, 2] } }, { c: null }, 'x'] }))
    const { rows } = await runEach(`api get ${target.url}/items?x=1`)
    expect(rows).toEqual([{ 'a.b.0': 1, 'a.b.1': 2 }, { c: null }, { value: 'x' }])
    expect(target.hits).toMatchObject([{ method: 'GET', url: '/items?x=1' }])
  })

  test.for(['post', 'put', 'patch', 'delete'])('sends %s with strict JSON made of lenient JSON', async (method) => {
    await using target = await openTarget(() => ({ body: { ok: true } }))
    await runEach(`api ${method} ${target.url} --data "{name: '$name$', n: '$n$', list: [1, 'a $name$',], x: true}"`, { row: { name: 'Ada', n: 5 } })
    const [hit] = target.hits
    expect(hit).toMatchObject({ method: method.toUpperCase(), headers: { 'content-type': 'application/json' } })
    expect(hit?.body.toString()).toBe('{"name":"Ada","n":5,"list":[1,"a Ada"],"x":true}')
  })

  test('sends any other data as text, and a row as JSON', async () => {
    await using target = await openTarget()
    await runEach(`api post ${target.url} --data "Hello $name$"`, { row: { name: 'Ada' } })
    await runEach(`api post ${target.url} --data "$ROW$"`, { row: { name: 'Ada' } })
    expect(target.hits.map(({ headers, body }) => [headers['content-type'], body.toString()])).toEqual([
      ['text/plain;charset=UTF-8', 'Hello Ada'],
      ['application/json', '{"name":"Ada"}'],
    ])
  })

  test('lets a content type of the user win', async () => {
    await using target = await openTarget()
    await runEach(`api post ${target.url} --data "{a: 1}" --headers '{"Content-Type": "application/vnd.x+json", "X-Empty": null, "X-N": 5}'`)
    expect(target.hits[0]?.headers).toMatchObject({ 'content-type': 'application/vnd.x+json', 'x-n': '5' })
    expect(target.hits[0]?.headers).not.toHaveProperty('x-empty')
  })

  test('sends a form url-encoded, lists repeated and nested keys in brackets', async () => {
    await using target = await openTarget()
    await runEach(`api post ${target.url} --form "{q: '$q$', tag: ['a', 'b'], deep: {x: 1, y: [{z: 2}]}, none: null}"`, { row: { q: 'a&b=c d' } })
    expect(target.hits[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect([...new URLSearchParams(target.hits[0]?.body.toString())]).toEqual([['q', 'a&b=c d'], ['tag', 'a'], ['tag', 'b'], ['deep[x]', '1'], ['deep[y][0][z]', '2']])
  })

  test('sends a multipart form of fields and files', async () => {
    await using target = await openTarget()
    const parts = `{note: '$note$', n: 5, file: {base64: 'AAEC/w==', filename: 'a.bin', contentType: 'image/png'}, two: ['x', {value: 'y'}], none: null}`
    await runEach(`api post ${target.url} --multipart "${parts}"`, { row: { note: 'hi' } })
    const form = await formOf(target.hits[0])
    expect(form.map(([name, value]) => [name, typeof value === 'string' ? value : value.name])).toEqual([['note', 'hi'], ['n', '5'], ['file', 'a.bin'], ['two', 'x'], ['two', 'y']])
    const file = form[2]?.[1]
    if (typeof file !== 'object') throw new Error('the part is no file')
    expect(file.type).toBe('image/png')
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 1, 2, 255])
  })

  test.for([
    ["api post http://a.example --data x --form '{a: 1}'", 'api can send only one body, and --data and --form are given'],
    ["api post http://a.example --form '{a: 1}' --multipart '{a: 1}'", 'api can send only one body, and --form and --multipart are given'],
    ['api get http://a.example --data x', 'api get has no body, and --data is given'],
    ["api head http://a.example --form '{a: 1}'", 'api head has no body, and --form is given'],
    ["api post http://a.example --form '[1]'", 'must be an object'],
    ["api get http://a.example --headers '\"x\"'", 'must be an object'],
    [`api post http://a.example --data '{"a": $n$}'`, 'has a token outside of quotes'],
    [`api post http://a.example --data '{a: NaN}'`, 'holds a number that JSON cannot hold'],
    ['api fetch http://a.example', 'must be one of get, post, put, patch, delete, head'],
    ['api get http://a.example --pages 0', 'must be a whole number from 1 to 100000'],
  ] as const)('is refused when it is read: %s', ([text, message]) => {
    expect(parseQuery(text).faults.map((fault) => fault.message)).toEqual([message])
  })

  test('refuses a status of 400 or more, with the beginning of what the target says and without the query of the address', async () => {
    await using target = await openTarget(() => ({ status: 503, type: 'text/plain', headers: { 'retry-after': '7' }, body: `Gone\n\tfishing ${'x'.repeat(5_000)}` }))
    const failure = await runEach(`api get ${target.url}/a?key=secret`).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'target_status', options: { retryAfterS: 7, extra: { targetStatus: 503 } } })
    expect(String(failure)).toMatch(new RegExp(`^Problem: The target answered 503 at ${target.url}/a: Gone fishing x{187}…$`))
  })

  test('accepts a status that --acceptStatus lists', async () => {
    await using target = await openTarget(() => ({ status: 404, body: { error: 'none' } }))
    expect((await runEach(`api get ${target.url} --acceptStatus 410 --acceptStatus 404`)).rows).toEqual([{ error: 'none' }])
    for (const list of ['410,404', '"410 404"', '"[410, 404]"']) expect((await runEach(`api get ${target.url} --acceptStatus ${list}`)).rows).toEqual([{ error: 'none' }])
    await expect(runEach(`api get ${target.url} --acceptStatus 410`)).rejects.toMatchObject({ code: 'target_status', message: expect.stringContaining('{"error":"none"}') as unknown })
  })

  test('follows redirects unless told otherwise', async () => {
    await using target = await openTarget(({ url }) => (url === '/a' ? { status: 302, headers: { location: '/b' } } : { body: { at: url } }))
    expect((await runEach(`api get ${target.url}/a`)).rows).toEqual([{ at: '/b' }])
    expect((await runEach(`api get ${target.url}/a --followRedirects false`)).rows).toMatchObject([{ '_response.status': 302, '_response.headers.location': '/b' }])
  })

  test('sends the user agent, the bearer token and a credential of the right type', async () => {
    await using target = await openTarget()
    const outside = openOutside({ credentials: [credential('c', 'custom', { value: 'Token 123' })] })
    await runEach(`api get ${target.url} --useragent "Reader/$v$" --bearer "$CREDENTIALS.b$"`, { row: { v: 2 }, tokens: { 'CREDENTIALS.b': 'abc' } })
    await runEach(`api get ${target.url} --credentials.custom c`, { outside })
    expect(target.hits.map(({ headers }) => [headers['user-agent'], headers.authorization])).toMatchObject([['Reader/2', 'Bearer abc'], [expect.any(String), 'Token 123']])
    await expect(runEach(`api get ${target.url} --credentials.oauth c`, { outside })).rejects.toMatchObject({ code: 'unprocessable', message: '--credentials.oauth names c, which is a credential of the type custom; use --credentials.custom.' })
    expect(target.hits).toHaveLength(2)
  })

  test('says what is wrong with an address, without its query', async () => {
    await expect(runEach('api get "$url$"', { row: { url: 'shop?key=secret' } })).rejects.toMatchObject({
      code: 'unprocessable', message: '"shop" is not an address that can be asked: it must begin with http:// or https:// and name a host.',
    })
    await expect(runEach('api get "file:///etc/passwd"')).rejects.toMatchObject({ code: 'unprocessable' })
  })
})

async function formOf(hit: { headers: { 'content-type'?: string | undefined }; body: Buffer } | undefined) {
  const type = hit?.headers['content-type'] ?? ''
  return [...(await new Response(Buffer.from(hit?.body ?? ''), { headers: { 'content-type': type } }).formData())]
}
