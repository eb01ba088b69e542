import { describe, expect } from 'vitest'
import type { Call } from '../../../src/client/index.ts'
import { test } from '../../support/browserEngine.ts'

const rowsOf = async (call: Call, query: string): Promise<Record<string, unknown>[]> => {
  const { status, error, results } = await call('sirp.query.dispatchWait', { body: { query }, query: { limit: 1000 } })
  expect([status, error]).toEqual(['completed', undefined])
  return results.map(({ content }) => content)
}

describe('the browser commands', () => {
  test('open makes a row an element, or only of those that are selected', async ({ call, site }) => {
    const all = await rowsOf(call, `open ${site.origin}/ || table nodeName innerText innerHTML _page.*`)
    expect(all.map((row) => row['nodeName'])).toEqual(['HTML', 'HEAD', 'TITLE', 'BODY', 'H1', 'UL', 'LI', 'A', 'LI', 'A', 'IMG'])
    expect(all[4]).toEqual({ nodeName: 'H1', innerText: 'Hello', '_page.url': `${site.origin}/`, '_page.title': 'Shop', '_page.status': 200 })
    const [heading, ...others] = await rowsOf(call, `open ${site.origin}/ --selector h1 --html --hashtml`)
    expect(others).toEqual([])
    expect(heading).toMatchObject({ nodeName: 'H1', 'attributes.class': 'big', innerHTML: 'Hello', innerHTMLHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, 'boundingClientRect.x': 0 })
  })

  test('open lays the page out as large as it is told, and paints what a picture stands on', async ({ call, site }) => {
    const [row] = await rowsOf(call, `open ${site.origin}/ --selector html --viewportWidth 321 --viewportHeight 200 --background red --screenshot --type png`)
    expect(row).toMatchObject({ 'boundingClientRect.width': 321, '_screenshot.width': 321 })
    const [plain] = await rowsOf(call, `open ${site.origin}/ --selector html --viewportWidth 321 --viewportHeight 200 --screenshot --type png`)
    expect(plain?.['_screenshot.hash']).not.toBe(row?.['_screenshot.hash'])
  })

  test('open runs for every row, in order, and keeps what a row has with --enrich', async ({ call, site }) => {
    const rows = await rowsOf(call, `seed '[{p: "a"}, {p: "b"}, {p: "c"}, {p: "missing"}]' || open ${site.origin}/$p$ --selector p --enrich || table p innerText _page.status`)
    expect(rows).toEqual([
      { p: 'a', innerText: 'one', '_page.status': 200 }, { p: 'b', innerText: 'two', '_page.status': 200 }, { p: 'c', innerText: 'three', '_page.status': 200 },
    ])
  })

  test('requests makes a row a request', async ({ call, site }) => {
    const rows = await rowsOf(call, `requests ${site.origin}/ --responseText`)
    expect(rows.map(({ url, method, status }) => [url, method, status])).toEqual([[`${site.origin}/`, 'GET', 200], [`${site.origin}/pixel.png`, 'GET', 404]])
    expect(rows[0]).toMatchObject({ type: 'document', mimeType: 'text/html', responseText: expect.stringContaining('Hello') as string, 'headers.content-type': 'text/html; charset=utf-8' })
  })

  test('evaluate flattens the value to rows, with and without a page', async ({ call, site }) => {
    expect(await rowsOf(call, 'evaluate "1 + 1"')).toEqual([{ value: 2 }])
    expect(await rowsOf(call, `seed '{n: 4}' || evaluate "(n) => [{ a: { b: n } }, { a: 2 }]" --args '["$n$"]'`)).toEqual([{ 'a.b': 4 }, { a: 2 }])
    expect(await rowsOf(call, `evaluate "() => document.title" --url ${site.origin}/a`)).toEqual([{ value: 'Page A' }])
  })

  test('session makes a row a load, with cookies and storages', async ({ call, site }) => {
    const [first, second] = await rowsOf(call, `session ${site.origin}/cookie "() => { location.href = '/a' }"`)
    expect(first).toMatchObject({ url: `${site.origin}/cookie`, status: 200, 'localStorage.kept': 'yes', 'sessionStorage.brief': 'no', 'cookieStorage.made.value': 'here' })
    expect(second).toMatchObject({ url: `${site.origin}/a`, status: 200, 'localStorage.kept': 'yes' })
  })

  test('form fills fields with data that stays data, and makes one row', async ({ call, site }) => {
    const rows = await rowsOf(call, `seed '{name: "a=b#c"}' || form ${site.origin}/form --set "input[name=user]=$name$" --submit "#go"`)
    expect(rows).toEqual([expect.objectContaining({ url: `${site.origin}/sent?user=a%3Db%23c`, status: 200, 'cookieStorage.sent.value': 'user=a%3Db%23c' })])
  })

  test('screenshot makes one row with the hash of a stored picture, which the query lists', async ({ api, call, sendAs, site }) => {
    const { id, results } = await call('sirp.query.dispatchWait', { body: { query: `screenshot ${site.origin}/square --selector "#square" --type png --device Desktop` } })
    const row = results[0]?.content ?? {}
    expect(row).toEqual({ '_screenshot.hash': expect.stringMatching(/^[0-9a-f]{64}$/) as string, '_screenshot.type': 'png', '_screenshot.width': 40, '_screenshot.height': 30, '_screenshot.bytes': expect.any(Number) as number })
    const { items } = await call('sirp.query.screenshots', { params: { id } })
    expect(items).toEqual([expect.objectContaining({ hash: row['_screenshot.hash'], stage: 0, width: 40, height: 30 })])
    const again = await call('sirp.query.dispatchWait', { body: { query: `screenshot ${site.origin}/square --selector "#square" --type png --device Desktop` } })
    expect((await call('sirp.query.screenshots', { params: { id: again.id } })).items).toHaveLength(1)
    const clean = await call('sirp.query.dispatchWait', { body: { query: `screenshot ${site.origin}/square --cache false`, cleanup: true } })
    expect(await call('sirp.query.screenshots', { params: { id: clean.id } })).toMatchObject({ items: [], total: 0 })
    expect((await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: String(row['_screenshot.hash']) } })).status).toBe(200)
  })

  test('crawl follows links breadth first, obeys robots, and says where it came from', async ({ call, site }) => {
    const rows = await rowsOf(call, `crawl ${site.origin}/ --depth 2`)
    expect(rows.map(({ url, depth, parent, title }) => [url, depth, parent, title])).toEqual([
      [`${site.origin}/`, 0, null, 'Shop'], [`${site.origin}/a`, 1, `${site.origin}/`, 'Page A'], [`${site.origin}/c`, 2, `${site.origin}/a`, 'Page C'],
    ])
    expect(rows[0]).toMatchObject({ status: 200, 'links.0': `${site.origin}/a`, 'links.1': `${site.origin}/b?x=1`, html: expect.stringContaining('<h1') as string })
    const rude = await rowsOf(call, `crawl ${site.origin}/ --robots false --browser --exclude "/a" || table url title text`)
    expect(rude).toEqual([{ url: `${site.origin}/`, title: 'Shop', text: expect.stringContaining('Hello') as string }, { url: `${site.origin}/b?x=1`, title: 'Page B', text: expect.stringContaining('two') as string }])
  })

  test('devices lists what the browser can be', async ({ call }) => {
    const rows = await rowsOf(call, `devices || filter "name == 'Desktop'"`)
    expect(rows).toEqual([expect.objectContaining({ name: 'Desktop', 'viewport.width': 1280, userAgent: expect.any(String) as string })])
  })

  test('a failure of one row can be skipped or kept, and fails the query otherwise', async ({ call, site }) => {
    const seed = `seed '[{u: "${site.origin}/a"}, {u: "http://169.254.169.254/"}]'`
    const { status, error } = await call('sirp.query.dispatchWait', { body: { query: `${seed} || open $u$ --selector p` } })
    expect([status, error?.code]).toEqual(['failed', 'target_forbidden'])
    expect(await rowsOf(call, `${seed} || open $u$ --selector p --onError skip || table innerText`)).toEqual([{ innerText: 'one' }])
  })

  test('an option that does not fit is a failure that names its flag', async ({ call, site }) => {
    const wrong = await call('sirp.query.dispatchWait', { body: { query: `open ${site.origin}/ --headers '{a: 1}'` } })
    expect(wrong).toMatchObject({ status: 'failed', error: { code: 'unprocessable', detail: expect.stringContaining('--headers') as string } })
    const unknown = await call('sirp.query.dispatchWait', { body: { query: `seed '{d: "Typewriter"}' || open ${site.origin}/ --device $d$` } })
    expect(unknown).toMatchObject({ status: 'failed', error: { code: 'unprocessable', detail: expect.stringContaining('must be Desktop or the name of a device') as string } })
  })
})
