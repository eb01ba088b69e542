import { describe, expect } from 'vitest'
import { answerJson } from '../../support/answering.ts'
import { rowsOf, runToEnd } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget as openServer } from '../../support/httpTarget.ts'
import { openTarget } from '../../support/target.ts'

/** A site whose rows 1 and 3 are errors. */
const openFailing = () => openTarget(({ url }) => (url === '/1' || url === '/3' ? { status: 404, body: { no: true } } : { body: { path: url } }))

describe('an expanding stage', () => {
  test('makes its rows in the order of its input, whoever answers first', async ({ call }) => {
    const held = new Map<string, () => void>()
    const server = await openServer((request, response) => {
      const answer = (): void => answerJson(response, [{ path: request.url, part: 0 }, { path: request.url, part: 1 }])
      // The later a row is, the sooner it is answered: the first is held until all others are there.
      held.set(request.url ?? '', answer)
      if (held.size === 8) for (const next of [...held].toSorted(([a], [b]) => (a < b ? 1 : -1))) next[1]()
    })
    const rows = await rowsOf(call, `range 8 || api get ${server.origin}/$n$ --enrich`)
    expect(rows).toEqual(Array.from({ length: 16 }, (_, at) => ({ n: Math.floor(at / 2), path: `/${Math.floor(at / 2)}`, part: at % 2 })))
    await server.close()
  })

  test('keeps the order of many rows over many units', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { path: url } }))
    const waited = await call('sirp.query.dispatchWait', { body: { query: `range 300 || api get ${target.url}/$n$` }, query: { limit: 1000 } })
    expect(waited.results.map(({ content }) => content['path'])).toEqual(Array.from({ length: 300 }, (_, n) => `/${n}`))
    expect(target.hits).toHaveLength(300)
    expect(await call('sirp.stage.read', { params: { id: waited.id, stage: '1' } })).toMatchObject({ rowsIn: 300, rowsOut: 300, commands: { total: 300, completed: 300, failed: 0, skipped: 0 } })
  })

  test('hands on what it does not come to in its time, in the same order', async ({ call }) => {
    const server = await openServer((request, response) => void setTimeout(() => answerJson(response, { path: request.url }), 1_100))
    const waited = await call('sirp.query.dispatchWait', { body: { query: `range 300 || api get ${server.origin}/$n$`, summary: true }, query: { limit: 1000 } })
    expect(waited.results.map(({ content }) => content['path'])).toEqual(Array.from({ length: 300 }, (_, n) => `/${n}`))
    const { stages } = await call('sirp.query.summary', { params: { id: waited.id } })
    expect(stages[1]?.jobs).toBeGreaterThan(4) // the units that the stage was divided into
    await server.close()
  })

  test('by default fails the query with the first failure, which the stage and the command tell', async ({ call }) => {
    await using target = await openFailing()
    const failed = await runToEnd(call, `range 3 || api get ${target.url}/$n$`)
    expect(failed).toMatchObject({ status: 'failed', total: 0, error: { code: 'target_status', stage: 1, detail: expect.stringContaining('404') as string } })
    const params = { id: failed.id, stage: '1' }
    expect(await call('sirp.stage.read', { params })).toMatchObject({ status: 'failed', error: { code: 'target_status' }, commands: { total: 3, failed: 1 } })
    const { items } = await call('sirp.stage.commands', { params })
    expect(items.filter(({ status }) => status === 'failed')).toMatchObject([{ index: 1, command: 'api', args: ['get', `${target.url}/1`], error: { code: 'target_status' } }])
  })

  test('with --onError skip leaves rows out that fail', async ({ call }) => {
    await using target = await openFailing()
    const ended = await runToEnd(call, `range 5 || api get ${target.url}/$n$ --onError skip`)
    expect(ended.rows).toEqual([{ path: '/0' }, { path: '/2' }, { path: '/4' }])
    const params = { id: ended.id, stage: '1' }
    expect(await call('sirp.stage.read', { params })).toMatchObject({ status: 'completed', rowsIn: 5, rowsOut: 3, commands: { total: 5, completed: 3, failed: 0, skipped: 2 } })
    expect((await call('sirp.stage.commands', { params })).items.map(({ status, rows, error }) => [status, rows, error?.code])).toEqual([
      ['completed', 1, undefined], ['skipped', 0, 'target_status'], ['completed', 1, undefined], ['skipped', 0, 'target_status'], ['completed', 1, undefined],
    ])
  })

  test('with --onError keep keeps rows that fail with _error', async ({ call }) => {
    await using target = await openFailing()
    const ended = await runToEnd(call, `range 2 || addcolumn a x || api get ${target.url}/$n$ --onError keep`)
    expect(ended.rows).toEqual([{ path: '/0' }, { n: 1, a: 'x', _error: expect.stringContaining('404') as string }])
    expect(await call('sirp.stage.read', { params: { id: ended.id, stage: '2' } })).toMatchObject({ status: 'completed', rowsOut: 2, commands: { completed: 1, failed: 1, skipped: 0 } })
  })

  test('tries again as often as --retry says, and counts the attempts', async ({ call }) => {
    await using target = await openTarget((_hit, count) => (count < 3 ? { status: 503 } : { body: { ok: count } }))
    const ended = await runToEnd(call, `api get ${target.url} --retry 2`)
    expect(ended.rows).toEqual([{ ok: 3 }])
    expect((await call('sirp.command.list', { params: { id: ended.id } })).items[0]).toMatchObject({ attempts: 3, status: 'completed' })
    await using gone = await openTarget(() => ({ status: 500 }))
    expect(await runToEnd(call, `api get ${gone.url} --retry 1`)).toMatchObject({ status: 'failed', error: { code: 'target_status' } })
    expect(gone.hits).toHaveLength(2)
  })

  test('ends a run that takes longer than --timeout', async ({ call }) => {
    const server = await openServer(() => undefined)
    const ended = await runToEnd(call, `range 1 || api get ${server.origin} --timeout 200 --onError keep`)
    expect(ended.rows).toEqual([{ n: 0, _error: expect.stringContaining('200 ms') as string }])
    expect((await call('sirp.stage.commands', { params: { id: ended.id, stage: '1' } })).items[0]?.error?.code).toBe('target_timeout')
    await server.close()
  })

  test('does what the flags of every command ask of its rows', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { n: 'new', path: url, more: 1 } }))
    const get = `range 2 || addcolumn a x || api get ${target.url}/$n$`
    expect(await rowsOf(call, `${get} --enrich`)).toEqual([0, 1].map((n) => ({ n: 'new', a: 'x', path: `/${n}`, more: 1 })))
    expect(await rowsOf(call, `${get} --enrich --table "path a"`)).toEqual([0, 1].map((n) => ({ path: `/${n}`, a: 'x' })))
    const marked = await rowsOf(call, `${get} --table path --guid`)
    expect(marked.map(({ path }) => path)).toEqual(['/0', '/1'])
    expect(new Set(marked.map(({ _guid }) => _guid)).size).toBe(2)
    expect(String(marked[0]?.['_guid'])).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('does what the flags of every command ask also of rows that it keeps with _error', async ({ call }) => {
    await using target = await openFailing()
    const kept = await rowsOf(call, `seed '[{n: 0, a: "x"}, {n: 1, a: "y"}]' || api get ${target.url}/$n$ --onError keep --guid --table "n path"`)
    const guid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
    expect(kept).toEqual([{ path: '/0', _guid: guid }, { n: 1, _guid: guid, _error: expect.stringContaining('404') as string }])
  })

  test('without input rows asks nobody', async ({ call }) => {
    await using target = await openTarget()
    const ended = await runToEnd(call, `range 0 || api get ${target.url} || count`)
    expect([ended.rows, target.hits.length]).toEqual([[{ count: 0 }], 0])
    const params = { id: ended.id, stage: '1' }
    expect(await call('sirp.stage.read', { params })).toMatchObject({ status: 'completed', commands: { total: 0, completed: 0 } })
    expect((await call('sirp.stage.commands', { params })).items).toEqual([])
  })

  test('as the first stage runs once with an empty row', async ({ call }) => {
    await using target = await openTarget(() => ({ body: [{ a: 1 }, { a: 2 }] }))
    expect(await rowsOf(call, `api get ${target.url} || api get ${target.url}/$a$ --enrich || count`)).toEqual([{ count: 4 }])
  })

  test('adds a warning to the command of a row that lacks a column', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { url } }))
    const ended = await runToEnd(call, `seed '[{a: 1}, {b: 2}]' || api get "${target.url}/?a=$a$"`)
    expect(ended.rows).toEqual([{ url: '/?a=1' }, { url: '/?a=' }])
    const { items } = await call('sirp.stage.commands', { params: { id: ended.id, stage: '1' } })
    expect(items.map(({ warnings }) => warnings)).toEqual([[], [expect.stringContaining('a')]])
  })
})

describe('hostile values of rows', () => {
  const hostile = ['a || freeze x', '"\'`', '$n$ $$ $ROW$', '--cache=false', 'x\r\nX-Evil: 1', '../../etc', '{"evil": 1}', '&b=2#c', "' or true or '", '\u2028', '😀']

  test('stay data in addresses, headers, bodies and expressions', { timeout: 60_000 }, async ({ call }) => {
    await using target = await openTarget(({ url, headers, body }) => ({ body: { url, header: headers['x-a'] ?? null, evil: headers['x-evil'] ?? null, body: String(body) } }))
    const seed = `seed \`\`\`${JSON.stringify(hostile.map((v) => ({ v: v.replaceAll('$', '$$$$') })))}\`\`\``
    const asked = await rowsOf(call, `${seed} || api post "${target.url}/p?v=$v$" --data '{"value": "$v$", "more": {"$v$": "<$v$>"}}' --enrich`)
    for (const [at, value] of hostile.entries()) {
      const row = asked[at] ?? {}
      expect(row['v']).toBe(value)
      expect(new URL(String(row['url']), 'http://x').searchParams.getAll('v')).toEqual([value])
      const sent = JSON.parse(String(row['body'])) as { value: string; more: Record<string, string> }
      expect([sent.value, Object.values(sent.more)]).toEqual([value, [`<${value}>`]])
    }
    expect(await rowsOf(call, `${seed} || filter "v == '$v$'" || count`)).toEqual([{ count: hostile.length }])
    expect((await rowsOf(call, `${seed} || addcolumn w "[$v$]"`)).map(({ w }) => w)).toEqual(hostile.map((value) => `[${value}]`))
    const headed = await runToEnd(call, `${seed} || api get ${target.url}/h --headers '{"X-A": "$v$"}' --onError keep --enrich`)
    expect(headed.status).toBe('completed')
    expect(headed.rows.every(({ evil }) => evil === undefined || evil === null)).toBe(true)
  })
})
