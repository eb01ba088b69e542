import { describe, expect } from 'vitest'
import { endless, rowsOf, runToEnd, start } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget } from '../../support/target.ts'
import { createTemplate } from '../../support/templates.ts'

describe('runTemplate', () => {
  test('makes the rows of a template with its values', async ({ api, call }) => {
    await createTemplate(api, 'numbers')
    expect(await rowsOf(call, 'runTemplate numbers --template.count 3 || filter "n > 0"')).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('does what the flags of every command ask of its rows', async ({ api, call }) => {
    await createTemplate(api, 'flagged', { query: 'range 2 || addcolumn x 1' })
    expect(await rowsOf(call, 'runTemplate flagged --table n --guid --checkpoint "flagged:n"')).toEqual([0, 1].map((n) => ({ n, _guid: expect.any(String) as string })))
    expect(await call('secrets.checkpoint.read', { params: { name: 'flagged' } })).toMatchObject({ checkpoint: '0' })
    expect(await rowsOf(call, 'range 1 --labelStage a || runTemplate flagged --appendStage a || count')).toEqual([{ count: 3 }])
  })

  test('runs again what the template does not let be used again', async ({ api, call }) => {
    await using target = await openTarget((_hit, count) => ({ body: { count } }))
    await createTemplate(api, 'fresh', { query: `api get ${target.url}/fresh --cache false` })
    await createTemplate(api, 'kept', { query: `api get ${target.url}/kept` })
    for (let run = 0; run < 2; run += 1) await rowsOf(call, 'runTemplate fresh || runTemplate kept')
    expect(target.hits.map(({ url }) => url)).toEqual(['/fresh', '/kept', '/fresh'])
  })

  test('takes values as data', async ({ api, call }) => {
    await createTemplate(api, 'saying', { query: 'addcolumn said "<$template.what$>"' })
    for (const value of ['a || freeze x', '"\'', '--cache']) {
      expect(await rowsOf(call, `runTemplate saying --template.what \`\`\`${value}\`\`\``)).toEqual([{ said: `<${value}>` }])
    }
  })

  test('runs templates within templates, and shows none of them in the list', async ({ api, call }) => {
    await createTemplate(api, 'inner', { query: 'range $template.count$ || addcolumn from inner' })
    await createTemplate(api, 'outer', { query: 'runTemplate inner --template.count "$template.count$" || math n "n + 1"' })
    const ended = await runToEnd(call, 'runTemplate outer --template.count 2')
    expect(ended.rows).toEqual([{ n: 1, from: 'inner' }, { n: 2, from: 'inner' }])
    const { items } = await call('sirp.query.list')
    expect(items.filter(({ query }) => query.includes('from inner') || query.includes('runTemplate inner'))).toEqual([])
    expect(items.map(({ id }) => id)).toContain(ended.id)
    expect((await rowsOf(call, 'queries --limit 100')).filter(({ query }) => String(query).includes('runTemplate inner'))).toEqual([])
  })

  test('fails with the reason of the template', async ({ api, call }) => {
    await createTemplate(api, 'failing', { query: 'thaw nothing-here.ndjson' })
    expect(await runToEnd(call, 'range 1 || runTemplate failing')).toMatchObject({ status: 'failed', error: { code: 'command_failed', stage: 1, detail: expect.stringContaining('nothing-here.ndjson') as string } })
  })

  test('of a template without its value, or of one that is not there, is refused or fails', async ({ api, call }) => {
    await createTemplate(api, 'needy')
    expect(await runToEnd(call, 'runTemplate needy')).toMatchObject({ status: 'failed', error: { detail: expect.stringMatching(/^In the template "needy": Line 1, .*count/) as string } })
    await expect(call('sirp.query.dispatch', { body: { query: 'runTemplate nobody' } })).rejects.toMatchObject({ status: 422, code: 'query_syntax' })
  })

  test('of a template that runs itself ends with an error', { timeout: 60_000 }, async ({ api, call }) => {
    const { id } = await createTemplate(api, 'itself', { query: 'range 1' })
    await api.house.db.template.update({ where: { id }, data: { query: 'runTemplate itself' } })
    expect(await runToEnd(call, 'runTemplate itself')).toMatchObject({ status: 'failed', error: { detail: expect.stringContaining('levels deep') as string } })
    expect(await api.house.db.query.count({ where: { status: { in: ['queued', 'running'] } } })).toBe(0)
  })

  test.for(['cancel', 'finalize'] as const)('ends with its query on %s', async (how, { api, call }) => {
    await createTemplate(api, `long ${how}`, { query: endless })
    const id = await start(call, `runTemplate "long ${how}"`)
    const child = () => api.house.db.query.findFirst({ where: { parentId: id } })
    await expect.poll(async () => (await child())?.status, { timeout: 10_000 }).toBe('running')
    await call(`sirp.query.${how}`, { params: { id } })
    await expect.poll(async () => (await child())?.status, { timeout: 5_000 }).toBe('cancelled')
    expect((await call('sirp.query.status', { params: { id } })).status).toBe(how === 'cancel' ? 'cancelled' : 'completed')
  })
})

test('deleting a query deletes what it ran as templates', async ({ api, call }) => {
  await createTemplate(api, 'leaf', { query: 'range 1' })
  await createTemplate(api, 'branch', { query: 'runTemplate leaf' })
  const before = await api.house.db.query.count()
  const { id } = await runToEnd(call, 'runTemplate branch')
  expect(await api.house.db.query.count()).toBe(before + 3)
  await call('sirp.query.delete', { params: { id } })
  expect(await api.house.db.query.count()).toBe(before)
})

describe('queries', () => {
  test('lists recent queries, newest first, by their state', async ({ call }) => {
    const failed = await runToEnd(call, 'thaw gone.ndjson')
    const [first] = await rowsOf(call, 'queries --status failed --limit 1')
    expect(first).toMatchObject({ 'id': failed.id, 'status': 'failed', 'query': 'thaw gone.ndjson', 'error.code': expect.any(String) as string })
    expect(await rowsOf(call, 'queries --limit 2')).toHaveLength(2)
  })
})
