import { describe, expect, test } from 'vitest'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget } from '../../support/target.ts'

const pageOf = (url: string): number => Number(new URL(url, 'http://x').searchParams.get('page') ?? 1)

describe('api --paginate', () => {
  test('asks for pages until there is no next one; relative addresses begin at the page', async () => {
    await using target = await openTarget(({ url }) => ({ body: { page: pageOf(url), ...(pageOf(url) < 3 ? { next: `?page=${pageOf(url) + 1}` } : {}) } }))
    const { rows, warnings } = await runEach(`api get ${target.url}/list --paginate next`)
    expect(rows.map(({ page }) => page)).toEqual([1, 2, 3])
    expect(target.hits.map(({ url }) => url)).toEqual(['/list', '/list?page=2', '/list?page=3'])
    expect(warnings).toEqual([])
  })

  test('takes an expression, also over the headers of an answer that is a list', async () => {
    await using target = await openTarget(({ url }) => ({ headers: pageOf(url) < 2 ? { 'x-next': '2' } : {}, body: [{ n: 1 }, { n: 2 }] }))
    const { rows } = await runEach(`api get ${target.url} --paginate "'?page=' + \`_response.headers.x-next\`"`)
    expect(rows).toHaveLength(4)
  })

  test('stops at an address that it has been to', async () => {
    await using target = await openTarget(({ url }) => ({ body: { next: url === '/a' ? '/b' : '/a' } }))
    expect((await runEach(`api get ${target.url}/a --paginate next`)).rows).toHaveLength(2)
    expect(target.hits).toHaveLength(2)
  })

  test('stops after --pages, with a warning that there is more', async () => {
    await using target = await openTarget(({ url }) => ({ body: { next: `?page=${pageOf(url) + 1}` } }))
    const { rows, warnings } = await runEach(`api get ${target.url} --paginate next --pages 3`)
    expect(rows).toHaveLength(3)
    expect(warnings).toEqual(['--paginate stopped after 3 pages, and there is another; --pages allows more'])
  })

  test('sends credentials to the origin of the first page only', async () => {
    await using other = await openTarget(() => ({ body: { page: 2 } }))
    await using target = await openTarget(() => ({ body: { page: 1, next: `${other.url}/2` } }))
    const outside = openOutside({ credentials: [credential('c', 'pinecone', { apiKey: 'canary-1' })] })
    const flags = `--headers '{"X-Key": "canary-2", "Accept": "text/x"}' --bearer canary-3 --credentials.pinecone c --paginate next`
    const { rows } = await runEach(`api get ${target.url} ${flags}`, { outside })
    expect(rows.map(({ page }) => page)).toEqual([1, 2])
    for (const canary of ['canary-1', 'canary-2', 'canary-3']) expect(JSON.stringify(target.hits[0]?.headers)).toContain(canary)
    expect(JSON.stringify(other.hits[0]?.headers)).not.toContain('canary')
    expect(other.hits[0]?.headers.accept).toBe('text/x')
  })

  test('sends a body to the origin of the first page only', async () => {
    await using other = await openTarget()
    await using target = await openTarget(({ url }) => ({ body: { next: url === '/' ? '/2' : other.url } }))
    await expect(runEach(`api post ${target.url} --data "{q: 1}" --paginate next`)).rejects.toMatchObject({ code: 'target_forbidden' })
    expect(target.hits.map(({ body }) => body.toString())).toEqual(['{"q":1}', '{"q":1}'])
    expect(other.hits).toEqual([])
  })

  test('follows the link next of a Link header, however it is written', async () => {
    const headers = ['<https://x.example/?a=1,2>; rel="prev", </?page=2>; title="a, b; rel=last"; REL="last Next"', '</?page=3>;rel=next,</?page=9>;rel=last', '</?page=1>; rel="first prev"']
    await using target = await openTarget(({ url }) => ({ headers: { link: headers[pageOf(url) - 1] ?? '' }, body: [{ page: pageOf(url) }] }))
    expect((await runEach(`api get ${target.url} --paginate _response.headers.link`)).rows).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }])
  })

  test('ends at false, and takes true for no address', async () => {
    await using target = await openTarget(() => ({ body: { next: false, more: true } }))
    expect((await runEach(`api get ${target.url} --paginate next`)).rows).toHaveLength(1)
    await expect(runEach(`api get ${target.url} --paginate more`)).rejects.toMatchObject({ code: 'target_unreadable' })
  })

  test('stops at an address that a redirect has led to', async () => {
    await using target = await openTarget(({ url }) => (url === '/latest' ? { status: 302, headers: { location: '/1' } } : { body: { next: '/1' } }))
    expect((await runEach(`api get ${target.url}/latest --paginate next`)).rows).toHaveLength(1)
  })

  test('refuses what is no address', async () => {
    await using target = await openTarget(() => ({ body: { next: 'http://[' } }))
    await expect(runEach(`api get ${target.url} --paginate next`)).rejects.toMatchObject({ code: 'target_unreadable', message: expect.stringContaining('no address') as unknown })
  })
})

describe('api --while', () => {
  test('asks again while it holds, and only the last answer counts', async () => {
    await using target = await openTarget((_hit, count) => ({ body: [{ state: count < 3 ? 'running' : 'done', count }, { other: 1 }] }))
    const { rows } = await runEach(`api get ${target.url} --while "state == 'running'" --delay 5`)
    expect(rows).toEqual([{ state: 'done', count: 3 }, { other: 1 }])
    expect(target.hits).toHaveLength(3)
  })

  test('sees the status, and the row that goes in', async () => {
    await using target = await openTarget((_hit, count) => ({ status: count < 2 ? 202 : 200, body: { n: count } }))
    expect((await runEach(`api get ${target.url} --while "_response.status == $busy$"`, { row: { busy: 202 } })).rows).toEqual([{ n: 2 }])
  })

  test('ends when it is aborted, with the reason', async () => {
    await using target = await openTarget(() => ({ body: { busy: true } }))
    const stop = new AbortController()
    const running = runEach(`api get ${target.url} --while busy --delay 60000`, { signal: stop.signal })
    await expect.poll(() => target.hits.length).toBe(1)
    stop.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
  })

  test('works on each page', async () => {
    await using target = await openTarget(({ url }, count) => ({ body: { ready: count % 2 === 0, ...(url === '/' ? { next: '/2' } : {}) } }))
    expect((await runEach(`api get ${target.url} --while "not ready" --paginate next`)).rows).toEqual([{ ready: true, next: '/2' }, { ready: true }])
    expect(target.hits.map(({ url }) => url)).toEqual(['/', '/', '/2', '/2'])
  })
})
