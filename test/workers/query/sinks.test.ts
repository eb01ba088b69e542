import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import { rowsOf, runToEnd, start } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget as openServer } from '../../support/httpTarget.ts'
import { openTarget } from '../../support/target.ts'

describe('freeze', () => {
  test('keeps the rows in a file that thaw reads, and passes them on', async ({ call }) => {
    expect(await rowsOf(call, 'range 3 || freeze kept.ndjson || count')).toEqual([{ count: 3 }])
    expect(await rowsOf(call, 'thaw kept.ndjson')).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
    await rowsOf(call, 'range 1 || freeze kept.ndjson')
    expect(await rowsOf(call, 'thaw kept.ndjson')).toEqual([{ n: 0 }])
    await rowsOf(call, 'range 1 || freeze kept.ndjson --append')
    expect(await rowsOf(call, 'thaw kept.ndjson')).toEqual([{ n: 0 }, { n: 0 }])
  })

  test.for(['head 0', 'head 1', 'limit 2', 'filter "n < 0" || head 1'])('keeps all rows also where the stage behind is %s', async (behind, { call }) => {
    await rowsOf(call, `range 5000 || freeze all.ndjson || ${behind}`)
    expect(await rowsOf(call, 'thaw all.ndjson || count')).toEqual([{ count: 5_000 }])
  })

  test('leaves no file behind a stage that fails, or a query that was cancelled', async ({ call }) => {
    const files = async () => (await call('sirp.cellarFile.list')).items.map(({ name }) => name)
    await rowsOf(call, 'range 1 || freeze before.ndjson')
    expect(await runToEnd(call, 'thaw nothing.ndjson || freeze failed.ndjson')).toMatchObject({ status: 'failed' })
    const id = await start(call, 'range 100000000 || freeze cancelled.ndjson')
    await expect.poll(async () => (await call('sirp.stage.list', { params: { id } })).items[1]?.status, { timeout: 10_000 }).toBe('running')
    expect(await files()).not.toContain('cancelled.ndjson')
    await call('sirp.query.cancel', { params: { id } })
    await rowsOf(call, 'range 10000 || freeze after.ndjson')
    expect((await files()).filter((name) => /failed|cancelled/.test(name))).toEqual([])
    expect(await files()).toContain('after.ndjson')
  })

  test('stays done when a later stage fails', async ({ call }) => {
    expect(await runToEnd(call, 'range 2 || freeze done.ndjson || thaw nothing.ndjson')).toMatchObject({ status: 'failed', error: { stage: 2 } })
    expect(await rowsOf(call, 'thaw done.ndjson || count')).toEqual([{ count: 2 }])
  })
})

describe('diff', () => {
  test('tells what has changed since the last run, and freezes the new rows with --update', async ({ call }) => {
    const run = (rows: string) => rowsOf(call, `seed '${rows}' || diff prices.ndjson --key sku --update`)
    expect(await run('[{sku: 1, price: 5}, {sku: 2, price: 6}]')).toMatchObject([{ sku: 1, _diff: 'added' }, { sku: 2, _diff: 'added' }])
    expect(await run('[{sku: 1, price: 5}, {sku: 2, price: 6}]')).toEqual([])
    expect(await run('[{sku: 2, price: 7}, {sku: 3, price: 1}]')).toEqual(expect.arrayContaining([
      expect.objectContaining({ 'sku': 2, '_diff': 'changed', '_diff.before.price': 6 }),
      expect.objectContaining({ sku: 3, _diff: 'added' }),
      expect.objectContaining({ sku: 1, _diff: 'removed' }),
    ]))
  })

  test('freezes all new rows also where the stage behind wants none', async ({ call }) => {
    await rowsOf(call, 'range 3000 || diff all-new.ndjson --key n --update || head 0')
    expect(await rowsOf(call, 'thaw all-new.ndjson || count')).toEqual([{ count: 3_000 }])
  })
})

describe('notify', () => {
  test('posts each row once and passes the rows on', async ({ call }) => {
    await using target = await openTarget()
    const ended = await runToEnd(call, `range 25 || notify ${target.url}/hook || filter "n < 2"`)
    expect(ended.rows).toEqual([{ n: 0 }, { n: 1 }])
    const sent = target.hits.map(({ body }) => (JSON.parse(String(body)) as { n: number }).n)
    expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, n) => n))
    expect(target.hits[0]).toMatchObject({ method: 'POST', url: '/hook', headers: { 'content-type': expect.stringContaining('application/json') as string } })
    expect(await call('sirp.stage.read', { params: { id: ended.id, stage: '1' } })).toMatchObject({ kind: 'sink', commands: { total: 25, completed: 25 } })
  })

  test('posts all rows together with --batch, signed, also where the stage behind wants none', async ({ call }) => {
    await call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name: 'hook' }, credentials: { custom: { value: 'signing key' } } } } })
    await using target = await openTarget()
    expect(await rowsOf(call, `range 3 || notify ${target.url} --batch --secret hook || head 0`)).toEqual([])
    const [hit] = target.hits
    expect([target.hits.length, JSON.parse(String(hit?.body))]).toEqual([1, [{ n: 0 }, { n: 1 }, { n: 2 }]])
    expect(hit?.headers['x-signature']).toBe(`sha256=${createHmac('sha256', 'signing key').update(hit?.body ?? '').digest('hex')}`)
  })

  test('takes its address from a credential, with --batch too, and shows it nowhere', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ status: url === '/hook-7c1e5d' ? 200 : 500 }))
    const keep = (name: string, value: string) => call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name }, credentials: { custom: { value } } } } })
    await keep('webhook', `${target.url}/hook-7c1e5d`)
    await keep('brokenWebhook', `${target.url}/hook-failing`)
    expect(await rowsOf(call, 'range 2 || notify "$CREDENTIALS.webhook$" --batch')).toEqual([{ n: 0 }, { n: 1 }])
    expect(target.hits).toHaveLength(1)
    const failed = await runToEnd(call, 'range 2 || notify "$CREDENTIALS.brokenWebhook$" --batch')
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'target_status' } })
    expect(JSON.stringify(failed)).not.toContain('hook-failing')
  })

  test('that fails fails its query', async ({ call }) => {
    const server = await openServer((_request, response) => void response.writeHead(500).end())
    expect(await runToEnd(call, `range 1 || notify ${server.origin}`)).toMatchObject({ status: 'failed', error: { stage: 1 } })
    expect(await runToEnd(call, `range 1 || notify ${server.origin} --batch`)).toMatchObject({ status: 'failed', error: { stage: 1 } })
    await server.close()
  })
})
