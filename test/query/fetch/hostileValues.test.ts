import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runEach } from '../../support/runEach.ts'
import { openTarget } from '../../support/target.ts'

const hostile = [
  '"', "'", '\\', '", "admin": true, "x": "', '"}]', '$a$', '$$', '{{x}}', '&admin=1', '?x=1', '#', '../..', '%0d%0aX: 1', '\r\nX-Evil: 1', '\0', '\u2028', '|| seed 1', '--data x', '\ud800', 'ü€😀',
  '@evil.example', '//evil.example', 'a=b;c', '__proto__', '<script>', '%zz', '+', ' ',
]

describe('the value of a row', () => {
  test.for(hostile)('stays a value in JSON: %j', async (value) => {
    await using target = await openTarget()
    await runEach(`api post ${target.url} --data '{"v": "$v$", "in": "a $v$ b", "list": ["$v$"], "__proto__": {"x": "$v$"}}'`, { row: { v: value } })
    const text = target.hits[0]?.body.toString() ?? ''
    expect(text).toBe(JSON.stringify({ v: value, in: `a ${value} b`, list: [value], ['__proto__']: { x: value } }))
  })

  test.for(hostile)('stays a field of a form: %j', async (value) => {
    await using target = await openTarget()
    await runEach(`api post ${target.url} --form "{v: '$v$', w: 1}"`, { row: { v: value } })
    expect([...new URLSearchParams(target.hits[0]?.body.toString())]).toEqual([['v', value.toWellFormed()], ['w', '1']])
  })

  test.for(hostile)('stays in its part of a multipart form: %j', async (value) => {
    await using target = await openTarget()
    await runEach(`api post ${target.url} --multipart "{v: '$v$', f: {value: '$v$', filename: '$v$', contentType: '$v$'}, w: 1}"`, { row: { v: value } })
    const [hit] = target.hits
    const form = await new Response(hit?.body, { headers: { 'content-type': hit?.headers['content-type'] ?? '' } }).formData()
    expect([...form.keys()]).toEqual(['v', 'f', 'w'])
    expect(form.get('v')).toBe(value.toWellFormed().replaceAll(/\r?\n|\r/g, '\r\n'))
    expect(form.get('w')).toBe('1')
  })

  test.for(hostile)('stays in its parameter of an address: %j', async (value) => {
    await using target = await openTarget()
    await runEach(`api get "${target.url}/a?v=$v$&w=1#$v$"`, { row: { v: value } })
    const { pathname, searchParams } = new URL(target.hits[0]?.url ?? '', target.url)
    expect(pathname).toBe('/a')
    expect([...searchParams.keys()]).toEqual(['v', 'w'])
    expect(searchParams.get('v')).toBe(value === '%0d%0aX: 1' ? '\r\nX: 1' : value.toWellFormed())
  })

  test.for(hostile.filter((value) => !value.includes('..')))('stays behind its place in the path of an address: %j', async (value) => {
    await using target = await openTarget()
    await runEach(`api get "${target.url}/a/$v$/end?w=1"`, { row: { v: value } })
    expect(target.hits[0]?.url).toMatch(/^\/a\/.*\/end\?w=1$/)
    expect(target.hits[0]?.url.split(/[?&]/)).toHaveLength(2)
  })

  test.for(['..', '.', '%2e%2E', '../..', 'a/../../b'])('does not leave the path: %s', async (value) => {
    await using target = await openTarget()
    await expect(runEach(`api get "${target.url}/a/$v$/end"`, { row: { v: value } })).rejects.toMatchObject({ code: 'unprocessable' })
    await expect(runEach(`api get "${target.url}/a/$v$$v$/end"`, { row: { v: '.' } })).rejects.toMatchObject({ code: 'unprocessable' })
    await runEach(`api get "${target.url}/a/../b/$v$"`, { row: { v: '..x' } })
    expect(target.hits.map(({ url }) => url)).toEqual(['/b/..x'])
  })

  test.for(['a\r\nX-Evil: 1', 'a\nb', 'a\rb', '\0'])('does not begin another header: %j', async (value) => {
    await using target = await openTarget()
    for (const flag of [`--headers '{"X-A": "$v$"}'`, '--bearer "$v$"', '--useragent "$v$"']) {
      await expect(runEach(`api get ${target.url} ${flag}`, { row: { v: value } })).rejects.toMatchObject({ code: 'unprocessable' })
    }
    expect(target.hits).toEqual([])
  })

  test.for(['evil.example/', 'evil.example?', 'evil.example#', 'x@evil.example', 'evil.example\\', 'evil.example:80'])('does not name another host from inside the name of one: %s', async (value) => {
    await expect(runEach('api get "http://$v$.shop.example/a"', { row: { v: value } })).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test('may be the whole address or its beginning, and is then taken as it stands', async () => {
    await using target = await openTarget()
    const row = { base: target.url, url: `${target.url}/x/y?q=a%20b&c=d`, host: target.url.slice(7), path: '/p/q?r=1' }
    for (const url of ['$url$', '$base$/a/b?c=d', 'http://$host$/z', `${target.url}$path$`]) await runEach(`api get "${url}"`, { row })
    expect(target.hits.map(({ url }) => url)).toEqual(['/x/y?q=a%20b&c=d', '/a/b?c=d', '/z', '/p/q?r=1'])
  })

  test('arrives as it is when it was url-encoded before', async () => {
    await using target = await openTarget()
    await runEach(`api get "${target.url}/?q=$q$"`, { row: { q: encodeURIComponent('a b&c=100%') } })
    expect(new URL(target.hits[0]?.url ?? '', target.url).searchParams.get('q')).toBe('a b&c=100%')
  })

  test('never adds a parameter to an address, whatever it is', async () => {
    await using target = await openTarget()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 20 }), async (value) => {
        await runEach(`api get "${target.url}/a?v=$v$&w=1"`, { row: { v: value } })
        const { pathname, searchParams } = new URL(target.hits.at(-1)?.url ?? '', target.url)
        expect([pathname, ...searchParams.keys()]).toEqual(['/a', 'v', 'w'])
      }),
      { numRuns: 50 },
    )
  })
})
