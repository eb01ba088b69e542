import { describe, expect } from 'vitest'
import type { Call } from '../../../src/client/index.ts'
import { credentialTypes } from '../../../src/contract/secrets/credentialTypes/index.ts'
import { answerJson } from '../../support/answering.ts'
import { rowsOf, runToEnd } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget as openServer } from '../../support/httpTarget.ts'
import { openTarget } from '../../support/target.ts'

const openCounting = () => openTarget((hit, count) => ({ body: { url: hit.url, count } }))

async function cachedStages(call: Call, id: string): Promise<boolean[]> {
  return (await call('sirp.stage.list', { params: { id } })).items.map(({ cached }) => cached)
}

describe('the cache', () => {
  test('answers an equal query without asking the target again', async ({ call }) => {
    await using target = await openCounting()
    const query = `range 3 || api get ${target.url}/$n$ || sort url`
    const first = await runToEnd(call, query)
    const second = await runToEnd(call, query)
    expect(target.hits).toHaveLength(3)
    expect(second.rows).toEqual(first.rows)
    expect([await cachedStages(call, first.id), await cachedStages(call, second.id)]).toEqual([[false, false, false], [true, true, true]])
    expect((await call('sirp.stage.results', { params: { id: second.id, stage: '1' } })).total).toBe(3)
  })

  test('lets a query begin behind the stages that it shares with another', async ({ call }) => {
    await using target = await openCounting()
    await rowsOf(call, `range 3 || api get ${target.url}/$n$ || head 1`)
    const edited = await runToEnd(call, `range 3 || api get ${target.url}/$n$ || head 2`)
    expect(target.hits).toHaveLength(3)
    expect([edited.total, await cachedStages(call, edited.id)]).toEqual([2, [true, true, false]])
    expect(await rowsOf(call, ` RANGE 3 /* the same */ || Api get "${target.url}/$n$" || count`)).toEqual([{ count: 3 }])
    expect(target.hits).toHaveLength(3)
  })

  test('gives a comprehensive query the rows of every stage, also behind a turbo one that kept only the last', async ({ call }) => {
    const query = 'range 7 || filter "n > 2" || stats count'
    await call('sirp.query.dispatch', { body: { query, mode: 'turbo' }, headers: { Prefer: 'wait=10' } })
    for (let run = 0; run < 2; run += 1) {
      const { id } = await runToEnd(call, query)
      const { items } = await call('sirp.stage.list', { params: { id } })
      expect(items.map(({ rowsIn, rowsOut }) => [rowsIn, rowsOut])).toEqual([[0, 7], [7, 4], [4, 1]])
      for (const { stage, rowsOut } of items) expect((await call('sirp.stage.results', { params: { id, stage: String(stage) } })).total).toBe(rowsOut)
    }
  })

  test('never takes a stage that was cut short for a whole one', async ({ call }) => {
    expect(await rowsOf(call, 'range 50000 || head 1')).toEqual([{ n: 0 }])
    expect(await rowsOf(call, 'range 50000 || count')).toEqual([{ count: 50_000 }])
  })

  test('uses the run of one command again in another query', async ({ call }) => {
    await using target = await openCounting()
    await rowsOf(call, `api get ${target.url}/a`)
    const other = await runToEnd(call, `seed '[{p: "a"}, {p: "b"}]' || api get ${target.url}/$p$`)
    expect(target.hits.map(({ url }) => url)).toEqual(['/a', '/b'])
    expect((await call('sirp.stage.commands', { params: { id: other.id, stage: '1' } })).items.map(({ cached }) => cached)).toEqual([true, false])
  })

  test.for([
    ['api get URL --cache false', 2],
    ['range 1 --cache false || api get URL', 2],
    ['api post URL --data x || api get URL', 4],
    ['range 1 || timestamp || api get URL', 2],
    ['api get "URL?t=$TIMESTAMP$"', 2],
    ['api post URL --data x', 2],
    ['api head URL', 1],
    ['range 1 || timestamp || api get "URL?t=$_timestamp.epoch$"', 2],
    ['range 1 || notify URL', 2],
    ['range 1 || notify URL --batch', 2],
    ['range 1 || freeze again.ndjson || api get URL', 2],
  ] as const)('of %j, run twice, asks the target %i times', async ([query, hits], { call }) => {
    await using target = await openCounting()
    for (let run = 0; run < 2; run += 1) await rowsOf(call, query.replaceAll('URL', target.url))
    expect(target.hits).toHaveLength(hits)
  })

  test('runs every stage behind one with --cache false afresh', async ({ call }) => {
    const query = 'range 3 || filter "n > 0" --cache false || count'
    await rowsOf(call, query)
    const again = await runToEnd(call, query)
    expect(await cachedStages(call, again.id)).toEqual([true, false, false])
  })

  test('keeps no failed results', async ({ call }) => {
    await using target = await openTarget((_hit, count) => (count === 1 ? { status: 500 } : { body: { count } }))
    const query = `range 1 || api get ${target.url} --onError skip`
    expect(await rowsOf(call, query)).toEqual([])
    expect(await rowsOf(call, query)).toEqual([{ count: 2 }])
    expect(await rowsOf(call, query)).toEqual([{ count: 2 }])
  })

  test('knows another version of a cellar file, a prompt, a checkpoint and a credential', async ({ call }) => {
    await rowsOf(call, 'range 1 || freeze versions.ndjson')
    expect(await rowsOf(call, 'thaw versions.ndjson || count')).toEqual([{ count: 1 }])
    await rowsOf(call, 'range 2 || freeze versions.ndjson')
    expect(await rowsOf(call, 'thaw versions.ndjson || count')).toEqual([{ count: 2 }])

    await call('secrets.prompt.create', { body: { name: 'versions', prompt: 'one' } })
    expect(await rowsOf(call, 'addcolumn a "$PROMPTS.versions$"')).toEqual([{ a: 'one' }])
    await call('secrets.prompt.update', { params: { name: 'versions' }, body: { prompt: 'two' } })
    expect(await rowsOf(call, 'addcolumn a "$PROMPTS.versions$"')).toEqual([{ a: 'two' }])

    expect(await rowsOf(call, 'addcolumn a "<$CHECKPOINTS.versions$>"')).toEqual([{ a: '<>' }])
    await call('secrets.checkpoint.create', { body: { name: 'versions', checkpoint: '7' } })
    expect(await rowsOf(call, 'addcolumn a "<$CHECKPOINTS.versions$>"')).toEqual([{ a: '<7>' }])

    await using target = await openTarget(({ headers }) => ({ body: { sent: headers['x-key'] === 'secret-one' ? 'one' : 'two' } }))
    const config = (value: string) => ({ credential: { name: 'versions' }, credentials: { custom: { value } } })
    await call('secrets.credential.create', { body: { type: 'custom', config: config('secret-one') } })
    const query = `api get ${target.url} --headers '{"X-Key": "$CREDENTIALS.versions$"}'`
    expect(await rowsOf(call, query)).toEqual([{ sent: 'one' }])
    expect(await rowsOf(call, query)).toEqual([{ sent: 'one' }])
    expect(target.hits).toHaveLength(1)
    await call('secrets.credential.update', { params: { name: 'versions' }, body: { type: 'custom', config: config('secret-two') } })
    expect(await rowsOf(call, query)).toEqual([{ sent: 'two' }])
  })

  test.for([
    ['api get "URL?at=$CHECKPOINTS.moving$"', 'moving:at'],
    ['thaw moving.ndjson || api get "URL?at=$at$"', 'file'],
  ] as const)('never takes rows that %j has read for those of a version that came meanwhile', async ([text, moved], { call }) => {
    const move = (at: string) => rowsOf(call, moved === 'file' ? `addcolumn at ${at} || freeze moving.ndjson` : `addcolumn at ${at} --checkpoint "${moved}"`)
    await move('one')
    const server = await openServer((request, response) => {
      const answer = (): void => answerJson(response, { url: request.url })
      if (request.url === '/?at=one') void move('two').then(answer)
      else answer()
    })
    const query = text.replace('URL', server.origin)
    const run = async () => (await call('sirp.query.dispatch', { body: { query, mode: 'turbo' }, headers: { Prefer: 'wait=20' } })) as { results?: unknown }
    expect(await run()).toMatchObject({ results: [{ content: { url: '/?at=one' } }] })
    expect(await run()).toMatchObject({ results: [{ content: { url: '/?at=two' } }] })
    await server.close()
  })

  test('knows which stage a label names, and not how it is called', async ({ call }) => {
    const query = (first: string, second: string): string => `range 1 --labelStage ${first} || seed '{a: 1}' --labelStage ${second} || math b "1" || append x`
    expect(await rowsOf(call, query('x', 'y'))).toEqual([{ a: 1, b: 1 }, { n: 0 }])
    expect(await rowsOf(call, query('y', 'x'))).toEqual([{ a: 1, b: 1 }, { a: 1 }])
    const added = (first: string, second: string): string => `range 1 --labelStage ${first} || seed '{a: 1}' --labelStage ${second} || math b "2" --appendStage x`
    expect(await rowsOf(call, added('x', 'y'))).toEqual([{ a: 1, b: 2 }, { n: 0 }])
    expect(await rowsOf(call, added('y', 'x'))).toEqual([{ a: 1, b: 2 }, { a: 1 }])
    const renamed = await runToEnd(call, 'range 1 --labelStage other || seed \'{a: 1}\' --labelStage y || math b "2"')
    expect(await cachedStages(call, renamed.id)).toEqual([true, true, false])
  })

  test.for([
    [`seed '{v: "x&b=1"}' || api get "URL/?a=$v$"`, 'api get "URL/?a=x&b=1"'],
    [`seed '{v: "count"}' || api get URL/while --while "url == $v$"`, 'api get URL/while --while "url == count"'],
  ] as const)('takes the data in %j for nothing that %j says', async ([filled, written], { call }) => {
    await using target = await openCounting()
    await runToEnd(call, filled.replace('URL', target.url))
    const before = target.hits.length
    await rowsOf(call, written.replace('URL', target.url))
    expect(target.hits).toHaveLength(before + 1)
  })

  test('does not give the columns of one row to another that asks the same', async ({ call }) => {
    await call('secrets.credential.create', { body: { type: 'openai', config: { ...credentialTypes.openai.example, credential: { name: 'model' } } } })
    await using target = await openTarget(() => ({ body: { choices: [{ message: { content: 'hello' } }] } }))
    const ask = (row: string) => rowsOf(call, `seed '${row}' || prompt hi --credential model --url ${target.url}`)
    expect(await ask('{a: 1}')).toEqual([{ 'a': 1, '_prompt.text': 'hello' }])
    expect(await ask('{b: 2}')).toEqual([{ 'b': 2, '_prompt.text': 'hello' }])
  })

  test('ends when its time has passed', async ({ api, call }) => {
    await using target = await openCounting()
    await rowsOf(call, `api get ${target.url}`)
    await api.house.pool.query(`UPDATE stage_cache SET expires_at = now() - interval '1 second'`)
    await api.house.pool.query(`UPDATE command_cache SET expires_at = now() - interval '1 second'`)
    expect(await rowsOf(call, `api get ${target.url}`)).toEqual([{ url: '/', count: 2 }])
    expect(await rowsOf(call, `api get ${target.url}`)).toEqual([{ url: '/', count: 2 }])
  })
})
