import { describe, expect } from 'vitest'
import type { Call } from '../../../src/client/index.ts'
import { rowsOf, runToEnd } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget } from '../../support/target.ts'

const keepCredential = (call: Call, name: string, value: string) =>
  call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name }, credentials: { custom: { value } } } } })

describe('checkpoints', () => {
  test('are empty until they are set, and then stand in the next run', async ({ call }) => {
    const query = 'seed \'[{at: "10"}, {at: "9"}]\' --cache false --checkpoint "since:at" || addcolumn since "<$CHECKPOINTS.since$>"'
    expect((await rowsOf(call, query))[0]).toMatchObject({ since: '<>' })
    expect(await call('secrets.checkpoint.read', { params: { name: 'since' } })).toMatchObject({ checkpoint: '10' })
    expect((await rowsOf(call, query))[0]).toMatchObject({ since: '<10>' })
  })

  test('of an expanding stage hold the column of its first row', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { url } }))
    await rowsOf(call, `range 3 || api get ${target.url}/$n$ --checkpoint "page:url"`)
    expect(await call('secrets.checkpoint.read', { params: { name: 'page' } })).toMatchObject({ checkpoint: '/0' })
  })

  test('are set also where the stage behind wants no row', async ({ call }) => {
    expect(await rowsOf(call, 'range 3 --checkpoint "wanted:n" || head 0')).toEqual([])
    expect(await call('secrets.checkpoint.read', { params: { name: 'wanted' } })).toMatchObject({ checkpoint: '0' })
  })

  test.for(['constructor', 'toString', 'missing'])('are not made of %s, which the first row does not have', async (column, { call }) => {
    await rowsOf(call, `range 1 --checkpoint "inherited:${column}"`)
    await expect(call('secrets.checkpoint.read', { params: { name: 'inherited' } })).rejects.toMatchObject({ status: 404 })
  })

  test('stay as they are where the stage fails or has no rows', async ({ call }) => {
    await using target = await openTarget(({ url }) => (url === '/1' ? { status: 404 } : { body: { url } }))
    expect(await runToEnd(call, `range 2 || api get ${target.url}/$n$ --checkpoint "failed:url"`)).toMatchObject({ status: 'failed' })
    await rowsOf(call, 'range 0 --checkpoint "failed:n"')
    await expect(call('secrets.checkpoint.read', { params: { name: 'failed' } })).rejects.toMatchObject({ status: 404 })
  })
})

describe('prompts', () => {
  test('stand for their text, and a missing one is refused', async ({ call }) => {
    await call('secrets.prompt.create', { body: { name: 'greeting', prompt: 'Hello || "you" $n$' } })
    expect(await rowsOf(call, 'range 1 || addcolumn text "$PROMPTS.greeting$!"')).toEqual([{ n: 0, text: 'Hello || "you" $n$!' }])
    await expect(call('sirp.query.dispatch', { body: { query: 'addcolumn a $PROMPTS.none$' } })).rejects.toMatchObject({ status: 422, code: 'query_syntax' })
  })
})

describe('credentials', () => {
  test('are sent, and shown nowhere', async ({ api, call }) => {
    const secret = 'canary-6f1f5a3c9e11'
    await keepCredential(call, 'canary', secret)
    await using target = await openTarget(({ headers }) => ({ body: { right: headers.authorization === `Bearer ${secret}`, echo: headers.authorization ?? null } }))
    const ended = await runToEnd(call, `api get ${target.url}/?a=$CREDENTIALS.canary$ --bearer "$CREDENTIALS.canary$"`)
    expect(ended.rows[0]).toMatchObject({ right: true })
    const params = { id: ended.id }
    const seen = [ended, await call('sirp.query.read', { params }), await call('sirp.stage.list', { params }), await call('sirp.command.list', { params }), await call('sirp.query.results', { params })]
    expect(JSON.stringify(seen)).not.toContain(secret)
    expect((await call('sirp.command.list', { params })).items[0]).toMatchObject({ args: ['get', expect.stringContaining('********')], flags: { bearer: '********' } })
    expect([...api.logLines, ...api.workerLines].join('')).not.toContain(secret)
  })

  test('hide their secrets in what a target answers, and nothing else', async ({ call }) => {
    const aws4 = { accessKeyId: 'canary-aws-id-1', secretAccessKey: 'canary-aws-2', region: 'eu-central-1', service: 'execute-api' }
    await call('secrets.credential.create', { body: { type: 'aws4', config: { credential: { name: 'signer' }, credentials: { aws4 } } } })
    await using target = await openTarget(() => ({ body: { ...aws4 } }))
    const [row] = await rowsOf(call, `api get ${target.url} --credentials.aws4 signer`)
    expect(row).toEqual({ ...aws4, accessKeyId: '********', secretAccessKey: '********' })
  })

  test('are refused in commands that send nothing', async ({ call }) => {
    await keepCredential(call, 'local', 'canary-local-71')
    const query = 'range 1 || addcolumn a "$CREDENTIALS.local$"'
    const ended = await call('sirp.query.dispatchWait', { body: { query } }).catch((error: unknown) => error)
    expect(JSON.stringify(ended)).not.toContain('canary-local-71')
    expect(ended).toMatchObject({ status: expect.toBeOneOf(['failed', 422]) as string })
  })

  test('that are gone fail the query before anything is sent', async ({ api, call }) => {
    await keepCredential(call, 'leaving', 'value-72')
    await using target = await openTarget(() => ({ body: {} }))
    // Deleted between the dispatch and the run, as if the query had waited long.
    const query = `api get ${target.url} || api get ${target.url} --bearer $CREDENTIALS.leaving$`
    const ended = await runToEnd(call, `runTemplate missing || ${query}`).catch((error: unknown) => error)
    expect(ended).toMatchObject({ status: 422 })
    await api.house.db.template.create({ data: { id: crypto.randomUUID(), name: 'late', description: '', query: query.replaceAll('leaving', 'gone') } })
    expect(await runToEnd(call, 'runTemplate late')).toMatchObject({ status: 'failed', error: { detail: expect.stringContaining('gone') as string } })
    expect(target.hits).toEqual([])
  })
})

describe('characters that the database cannot hold', () => {
  test('stay in rows, and are replaced in records, summaries and checkpoints', async ({ call }) => {
    const seed = 'seed \'{a: "x\\u0000y", "k\\u0000": "\\ud800"}\''
    const row = { 'a': 'x\0y', 'k\0': '\ud800' }
    const ended = await runToEnd(call, `${seed} --checkpoint "odd:a" || addcolumn b "<$a$>" || sort a`, { summary: true })
    expect([ended.status, ended.rows]).toEqual(['completed', [{ ...row, b: '<x\0y>' }]])
    expect(await call('secrets.checkpoint.read', { params: { name: 'odd' } })).toMatchObject({ checkpoint: 'x\ufffdy' })
    expect((await call('sirp.command.list', { params: { id: ended.id } })).items[0]?.args).toEqual([{ 'a': 'x\ufffdy', 'k\ufffd': '\ufffd' }])
  })

  test('do no harm in a request, nor in what it fails with', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ status: 404, body: `no ${url}` }))
    const seed = 'seed \'[{a: "x\\u0000y"}]\''
    const kept = await runToEnd(call, `${seed} || api get "${target.url}/?a=$a$" --onError keep`)
    expect([kept.status, kept.rows]).toEqual(['completed', [{ a: 'x\0y', _error: expect.stringContaining('404') as string }]])
    expect(await runToEnd(call, `${seed} || api get "${target.url}/?b=$a$"`)).toMatchObject({ status: 'failed', error: { code: 'target_status' } })
  })
})

describe('missing columns', () => {
  test('are told on the record of each command that names them, also where several run in one pass', async ({ call }) => {
    const ended = await runToEnd(call, 'addcolumn a "<$here$>" || addcolumn b "<$nope$>" || addcolumn c "<$nope$>$gone$" || addcolumn d "$a$"')
    const { items } = await call('sirp.command.list', { params: { id: ended.id } })
    expect(items.map(({ warnings }) => warnings)).toEqual([
      ['there is no column here'], ['there is no column nope'], ['there is no column nope', 'there is no column gone'], [],
    ])
  })

  test('are empty, and tell a warning on the record of their command', async ({ call }) => {
    const ended = await runToEnd(call, 'range 2 || addcolumn a "<$nope$>"')
    expect(ended.rows).toEqual([{ n: 0, a: '<>' }, { n: 1, a: '<>' }])
    const { items } = await call('sirp.command.list', { params: { id: ended.id } })
    expect(items.map(({ warnings }) => warnings)).toEqual([[], [expect.stringContaining('nope')]])
  })
})
