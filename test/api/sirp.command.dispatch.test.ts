import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { unknownId } from '../support/api.ts'
import { endless, runToEnd, start } from '../support/dispatched.ts'
import { test } from '../support/engine.ts'
import { expectProblem } from '../support/problems.ts'
import { openTarget } from '../support/target.ts'

const headers = { Prefer: 'wait=10' }

describe('sirp.command.dispatch', () => {
  test('runs one command as a query of one stage, and answers like a dispatch', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, 'sirp.command.dispatch', { body: { command: 'range', args: [[3, 'ignored']], flags: { labelStage: 'numbers' }, metadata: { reason: 'trial' } } })
    expect(response.status).toBe(202)
    const { id } = (await response.json()) as { id: string }
    expect(response.headers.get('location')).toBe(`/v1/sirp/query/${id}`)
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 10_000 }).toBe('completed')
    expect(await call('sirp.stage.list', { params: { id } })).toMatchObject({ total: 1, items: [{ command: 'range', label: 'numbers', rowsOut: 3 }] })
    expect(await call('sirp.query.read', { params: { id } })).toMatchObject({ metadata: { reason: 'trial' }, stages: { total: 1 } })
  })

  test('takes hostile values as data', async ({ call }) => {
    for (const value of ['a || freeze x', '"; \\" \\\\ \'', '```json', '$$n$$', '/* x */', '--cache=false', 'line\nbreak', '\\', 'true', '12']) {
      const held = await call('sirp.command.dispatch', { body: { command: 'addcolumn', args: [['a'], [value]] }, headers })
      expect(held.results, value).toEqual([{ content: { a: value.replaceAll('$$', '$') } }])
    }
  })

  test('keeps the types of values, and takes lists and objects as JSON', async ({ call }) => {
    for (const value of [1.5, true, null]) {
      expect((await call('sirp.command.dispatch', { body: { command: 'addcolumn', args: [['a'], [value]] }, headers })).results).toEqual([{ content: { a: value } }])
    }
    const seeded = await call('sirp.command.dispatch', { body: { command: 'seed', args: [[[{ a: '"x" || y' }, { a: 2 }]]] }, headers })
    expect(seeded.results).toEqual([{ content: { a: '"x" || y' } }, { content: { a: 2 } }])
  })

  test('takes nested flags, repeated flags and JSON flags', async ({ call }) => {
    await using target = await openTarget(() => ({ body: { ok: true } }))
    const sent = { command: 'api', args: [['post'], [`${target.url}/a?b=1`]], flags: { 'headers': { 'X-A': 'b"c' }, 'data': { list: [1, '$$x$$'] }, 'cache': false, 'labelStage': 'it' } }
    const held = await call('sirp.command.dispatch', { body: sent, headers })
    expect(held).toMatchObject({ status: 'completed', results: [{ content: { ok: true } }] })
    expect(target.hits[0]?.headers['x-a']).toBe('b"c')
    expect(JSON.parse(String(target.hits[0]?.body))).toEqual({ list: [1, '$x$'] })
    const prev = (await runToEnd(call, "seed '[{a: 2, b: 1}, {a: 1, b: 1}, {a: 1, b: 2}]'")).id
    const sorted = await call('sirp.command.dispatch', { body: { command: 'sort', args: [['a'], ['b']], flags: { order: ['ascending', 'descending'] }, prev }, headers })
    expect(sorted.results?.map(({ content }) => `${content['a']}${content['b']}`)).toEqual(['12', '11', '21'])
    await expect(call('sirp.command.dispatch', { body: { command: 'api', args: [['get'], [target.url]], flags: { credentials: { oauth: 'none' } } } })).rejects.toMatchObject({
      status: 422, code: 'query_syntax', message: expect.stringContaining('no credential named none') as string,
    })
  })

  test('takes the words of a command for what they mean in its text', async ({ call }) => {
    const prev = (await runToEnd(call, "seed '[{by: 1, v: 2}, {by: 2, v: 3}, {by: 1, v: 4}]'")).id
    const args = ['count', 'sum(v)', 'AS', 'total', 'by', 'by'].map((word) => [word])
    const held = await call('sirp.command.dispatch', { body: { command: 'Stats', args, prev }, headers })
    expect(held.results).toEqual([{ content: { by: 1, count: 2, total: 6 } }, { content: { by: 2, count: 1, total: 3 } }])
  })

  test('works on the rows of another query', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { url } }))
    const { id: prev } = await runToEnd(call, 'range 5')
    expect(await call('sirp.command.dispatch', { body: { command: 'filter', args: [['n > 2']], prev }, headers })).toMatchObject({ total: 2, results: [{ content: { n: 3 } }, { content: { n: 4 } }] })
    expect((await call('sirp.command.dispatch', { body: { command: 'api', args: [['get'], [`${target.url}/$n$`]], prev }, headers })).results?.map(({ content }) => content['url'])).toEqual(['/0', '/1', '/2', '/3', '/4'])
  })

  test('refuses the rows of a query that has not completed by a 409, and of one that is not there by a 404', async ({ call }) => {
    const prev = await start(call, endless)
    await expect(call('sirp.command.dispatch', { body: { command: 'count', prev } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
    await call('sirp.query.cancel', { params: { id: prev } })
    await expect(call('sirp.command.dispatch', { body: { command: 'count', prev } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
    await expect(call('sirp.command.dispatch', { body: { command: 'count', prev: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('takes the id that is wished for, once', async ({ api, call, sendAs }) => {
    const id = randomUUID()
    const body = { command: 'range', args: [[1]], id }
    expect((await call('sirp.command.dispatch', { body })).id).toBe(id)
    await expectProblem(await sendAs(api.adminKey, 'sirp.command.dispatch', { body }), 'conflict')
    await expectProblem(await sendAs(api.adminKey, 'sirp.command.dispatch', { body, headers: { 'Idempotency-Key': 'taken' } }), 'conflict')
    expect(await api.house.db.query.count({ where: { id } })).toBe(1)
  })

  test('takes ids in capital letters for the same as in small ones', async ({ api, call, sendAs }) => {
    const id = randomUUID()
    const body = { command: 'range', args: [[2]], id: id.toUpperCase() }
    const waited = await sendAs(api.adminKey, 'sirp.command.dispatch', { body, headers: { Prefer: 'wait=30' } })
    expect(waited.status).toBe(200)
    expect(await waited.json()).toMatchObject({ id, status: 'completed', total: 2 })
    await expectProblem(await sendAs(api.adminKey, 'sirp.command.dispatch', { body }), 'conflict')
    expect(await call('sirp.query.results', { params: { id: id.toUpperCase() } })).toMatchObject({ id, total: 2 })
  })

  test.for([
    [{ command: 'range', args: [] }, { column: 1, length: 5, errors: [{ path: '/command' }] }],
    [{ command: 'range' }, { column: 1, length: 5, errors: [{ path: '/command' }] }],
    [{ command: 'range', args: [['x']] }, { column: 7, length: 3, errors: [{ path: '/args/0/0' }] }],
    [{ command: 'range', args: [[1], ['x'], ['y']] }, { column: 9, errors: [{ path: '/args/1/0' }, { path: '/args/2/0' }] }],
    [{ command: 'rnge', args: [[1]] }, { column: 1, length: 4, hint: 'did you mean range?', errors: [{ path: '/command' }] }],
    [{ command: 'range', args: [[1]], flags: { cach: true } }, { column: 9, hint: 'did you mean --cache?', errors: [{ path: '/flags/cach' }] }],
    [{ command: 'range', args: [[1]], flags: { labelStage: 'a', cache: 'maybe' } }, { errors: [{ path: '/flags/cache' }] }],
    [{ command: 'range', args: [[1]], flags: { labelStage: ['a', 'b'] } }, {}],
  ] as const)('refuses %j by a 422 that points at the place, with the line added', async ([body, place], { api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.command.dispatch', { body: { ...body, line: 41 } }), 'query_syntax')
    expect(problem).toMatchObject({ status: 422, line: 42, ...place })
  })

  test.for([
    [{}, '/command'],
    [{ command: '' }, '/command'],
    [{ command: 'range 3 || freeze' }, '/command'],
    [{ command: 'range', args: [3] }, '/args/0'],
    [{ command: 'range', args: [[]] }, '/args/0'],
    [{ command: 'range', args: [[3]], flags: { 'a b': 1 } }, '/flags/a b'],
    [{ command: 'range', args: [[3]], flags: { 'x || y': 1 } }, '/flags/x || y'],
    [{ command: 'range', args: [[3]], line: -1 }, '/line'],
    [{ command: 'range', args: [[3]], id: 'x' }, '/id'],
    [{ command: 'range', args: [[3]], prev: 'x' }, '/prev'],
    [{ command: 'range', args: [[3]], mode: 'turbo' }, '/mode'],
  ] as const)('refuses %j by a 400 that points at %s', async ([body, path], { api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.command.dispatch', { body }), 'validation_failed')
    expect(problem).toMatchObject({ errors: [expect.objectContaining({ path })] })
  })
})
