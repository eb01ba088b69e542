import { describe, expect, onTestFinished } from 'vitest'
import type { FileFormat } from '../../../src/query/outside.ts'
import type { Row } from '../../../src/query/rows.ts'
import { collectRows, inBatches } from '../../../src/query/stream.ts'
import { verifyChain } from '../../../src/services/audit.ts'
import { reapContents } from '../../../src/services/sirp/cellar/reap.ts'
import { openCellar } from '../../../workers/query/outside/cellar.ts'
import { startApi, test, type RunningApi } from '../../support/api.ts'
import { contentOf, countContents, keepBytes, keepText } from '../../support/cellar.ts'
import { openOutside } from '../../support/outside.ts'
import { runQuery } from '../../support/runQuery.ts'
import { openStageEnd } from '../../support/stageEnd.ts'

const facts = { queryId: '00000000-0000-4000-8000-000000000001', apiKeyId: 'key-of-the-query', requestId: 'request-of-the-query' }

/** The cellar of one stage, and the ends that the stage may come to. */
function stageOf({ house }: RunningApi) {
  const end = openStageEnd(house.pool)
  return { cellar: openCellar(house, end.commits, facts), succeed: end.succeed, fail: end.fail }
}

interface Frozen {
  readonly format?: FileFormat
  readonly append?: boolean
}

/** Writes rows to a file without ending the stage. */
async function written(api: RunningApi, name: string, rows: Iterable<Row>, { format = 'ndjson', append = false }: Frozen = {}) {
  const stage = stageOf(api)
  const writing = stage.cellar.write(name, { format, append })
  try {
    for await (const batch of inBatches(rows)) await writing.add(batch)
    await writing.end()
  } catch (error) {
    await stage.fail()
    throw error
  }
  return stage
}

async function freeze(api: RunningApi, name: string, rows: Iterable<Row>, options?: Frozen): Promise<void> {
  await (await written(api, name, rows, options)).succeed()
}

const thaw = (api: RunningApi, name: string): Promise<Row[]> => collectRows(stageOf(api).cellar.rows(name))

function* manyRows(count: number): Generator<Row> {
  for (let n = 0; n < count; n += 1) yield { n, text: `row ${n} ${'x'.repeat(80)}`, even: n % 2 === 0, none: null }
}

describe('the cellar that stages read', () => {
  test('makes rows of json, ndjson and csv, with numbers where a whole column of csv has them', async ({ api }) => {
    await keepText(api, 'read.json', '[{"a":{"b":1}},{"a":{"b":2}}]')
    await keepText(api, 'read.ndjson', '{"a":1}\n{"a":2}\n')
    await keepText(api, 'read.csv', 'a,b\n1,x\n2,3\n')
    expect(await thaw(api, 'read.json')).toEqual([{ 'a.b': 1 }, { 'a.b': 2 }])
    expect(await thaw(api, 'read.ndjson')).toEqual([{ a: 1 }, { a: 2 }])
    expect(await thaw(api, 'read.csv')).toEqual([{ a: 1, b: 'x' }, { a: 2, b: '3' }])
  })

  test('refuses a file that is not there, and one of which no rows can be made', async ({ api }) => {
    await keepBytes(api, 'read.bin', new Uint8Array([0, 1, 2]))
    await keepText(api, 'read.txt', 'just words')
    await keepText(api, 'broken.ndjson', '{"a":1}\n{"a":')
    await expect(thaw(api, 'nothing')).rejects.toMatchObject({ code: 'not_found', message: 'There is no cellar file "nothing".' })
    await expect(thaw(api, 'read.bin')).rejects.toMatchObject({ code: 'unreadable_file', message: expect.stringMatching(/^Cellar file "read.bin": The file is binary/) })
    await expect(thaw(api, 'read.txt')).rejects.toMatchObject({ code: 'unreadable_file' })
    await expect(thaw(api, 'broken.ndjson')).rejects.toMatchObject({ code: 'unreadable_file', message: expect.stringMatching(/"broken.ndjson": Line 2/) })
  })

  test('refuses a Parquet file that is broken', async ({ api }) => {
    await keepBytes(api, 'broken.parquet', new TextEncoder().encode(`PAR1${'x'.repeat(100)}PAR1`))
    await expect(thaw(api, 'broken.parquet')).rejects.toMatchObject({ code: 'unreadable_file', message: expect.stringContaining('Parquet') })
  })

  test('knows which files there are, and the text of a small one', async ({ api }) => {
    await keepText(api, 'words.txt', '\ufeffschöne Wörter')
    await keepBytes(api, 'bytes.bin', new Uint8Array([0xff, 0]))
    const { cellar } = stageOf(api)
    expect([await cellar.has('words.txt'), await cellar.has('other.txt')]).toEqual([true, false])
    expect(await cellar.text('words.txt')).toBe('schöne Wörter')
    await expect(cellar.text('bytes.bin')).rejects.toMatchObject({ code: 'unreadable_file' })
    await expect(cellar.text('other.txt')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('reads a large file with flat memory', async ({ api }) => {
    await freeze(api, 'large.ndjson', manyRows(400_000))
    const before = process.memoryUsage().heapUsed
    let [rows, most] = [0, 0]
    for await (const batch of stageOf(api).cellar.rows('large.ndjson')) {
      rows += batch.length
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    expect(rows).toBe(400_000)
    expect(most).toBeLessThan(200 * 2 ** 20)
  }, 120_000)
})

describe('a file that a stage writes', () => {
  test.for(['ndjson', 'json', 'csv', 'parquet'] as const)('comes back as it was written, as %s', { timeout: 60_000 }, async (format, { api }) => {
    const rows = [...manyRows(30_000)]
    await freeze(api, `back-${format}`, rows, { format })
    const back = await thaw(api, `back-${format}`)
    // CSV has no types but numbers.
    const asWritten = format === 'csv' ? rows.map((row) => ({ ...row, even: String(row['even']), none: '' })) : rows
    expect(back).toHaveLength(rows.length)
    expect(back).toEqual(asWritten)
  })

  test('has all columns of its rows, in the order of their first appearance, and mixed ones as text in Parquet', async ({ api }) => {
    const rows: Row[] = [{ a: 1 }, { b: 'x', a: null }, { 'c.d': true, a: 'text', constructor: 2 }]
    await freeze(api, 'columns.csv', rows, { format: 'csv' })
    expect((await contentOf(api, 'columns.csv')).toString()).toBe('a,b,c.d,constructor\r\n1,,,\r\n,x,,\r\ntext,,true,2\r\n')
    await freeze(api, 'columns.parquet', rows, { format: 'parquet' })
    expect(await thaw(api, 'columns.parquet')).toEqual([
      { a: '1', b: null, 'c.d': null, constructor: null },
      { a: null, b: 'x', 'c.d': null, constructor: null },
      { a: 'text', b: null, 'c.d': true, constructor: 2 },
    ])
  })

  test.for([['ndjson', ''], ['json', '[]\n'], ['csv', '']] as const)('may be empty, as %s', async ([format, text], { api }) => {
    await freeze(api, `empty-${format}`, [], { format })
    expect((await contentOf(api, `empty-${format}`)).toString()).toBe(text)
    expect(await thaw(api, `empty-${format}`)).toEqual([])
  })

  test('may be empty as Parquet', async ({ api }) => {
    await freeze(api, 'empty.parquet', [], { format: 'parquet' })
    expect(await thaw(api, 'empty.parquet')).toEqual([])
  })

  test('has a record like an upload, and its version counts', async ({ api, call }) => {
    await freeze(api, 'record.json', [{ a: 1 }], { format: 'json' })
    const first = await call('sirp.cellarFile.read', { params: { name: 'record.json' } })
    expect(first).toMatchObject({ format: 'json', contentType: 'application/json', bytes: 10, version: 1, preview: { rows: [{ a: 1 }] } })
    await freeze(api, 'record.json', [{ a: 2 }], { format: 'csv' })
    expect(await call('sirp.cellarFile.read', { params: { name: 'record.json' } })).toMatchObject({ id: first.id, format: 'csv', contentType: 'text/csv', version: 2 })
    await freeze(api, 'record.parquet', [{ a: 2 }], { format: 'parquet' })
    expect(await call('sirp.cellarFile.read', { params: { name: 'record.parquet' } })).toMatchObject({ format: 'binary', contentType: 'application/vnd.apache.parquet' })
  })

  test('is not there before the stage has ended, and the old one stays until then', async ({ api }) => {
    const { cellar, succeed } = await written(api, 'late', [{ a: 1 }])
    expect(await cellar.has('late')).toBe(false)
    await succeed()
    const second = await written(api, 'late', [{ a: 2 }])
    expect(await thaw(api, 'late')).toEqual([{ a: 1 }])
    await second.succeed()
    expect(await thaw(api, 'late')).toEqual([{ a: 2 }])
  })

  test.for(['ndjson', 'csv'] as const)('leaves nothing behind where the stage fails, as %s', async (format, { api }) => {
    const before = await countContents(api)
    const ended = await written(api, 'failed', manyRows(20_000), { format })
    await ended.fail()
    const open = stageOf(api)
    await open.cellar.write('failed', { format, append: true }).add([...manyRows(20_000)])
    await open.fail()
    expect(await countContents(api)).toEqual(before)
    await expect(thaw(api, 'failed')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('stays whole where it is undone after it was kept', async ({ api }) => {
    const { succeed, fail } = await written(api, 'kept', [{ a: 1 }])
    await succeed()
    await fail()
    expect(await thaw(api, 'kept')).toEqual([{ a: 1 }])
  })

  test('is in the audit log with the key and the request of the query', async ({ api }) => {
    await freeze(api, 'audited', [{ a: 1 }])
    const entry = await api.house.db.auditEntry.findFirst({ where: { target: 'audited' } })
    expect(entry).toMatchObject({ actor: facts.apiKeyId, operation: 'sirp.query.dispatch', outcome: 'done', requestId: facts.requestId })
    expect(await verifyChain(api.house.pool)).toMatchObject({ ok: true })
  })

  test('may not have a name that no file can have', ({ api }) => {
    expect(() => stageOf(api).cellar.write('a/b', { format: 'ndjson', append: false })).toThrow(expect.objectContaining({ code: 'unprocessable' }))
  })
})

describe('rows that are appended', () => {
  test.for(['ndjson', 'json', 'csv'] as const)('stand behind those that are there, as %s', async (format, { api }) => {
    const name = `append.${format}`
    await freeze(api, name, [{ a: 1, b: 'x' }], { format, append: true })
    await freeze(api, name, [{ a: 2, b: 'y' }], { format, append: true })
    await freeze(api, name, [], { format, append: true })
    expect(await thaw(api, name)).toEqual([{ a: 1, b: 'x' }, { a: 2, b: 'y' }])
  })

  test('stand on lines of their own where an upload did not end its last one', async ({ api }) => {
    await keepText(api, 'open.csv', 'a,b\n1,x')
    await freeze(api, 'open.csv', [{ a: 2, b: 'y' }], { format: 'csv', append: true })
    expect((await contentOf(api, 'open.csv')).toString()).toBe('a,b\n1,x\r\n2,y\r\n')
    await keepText(api, 'open.ndjson', '{"a":1}')
    await freeze(api, 'open.ndjson', [{ a: 2 }], { append: true })
    expect((await contentOf(api, 'open.ndjson')).toString()).toBe('{"a":1}\n{"a":2}\n')
  })

  test('must have the columns of a csv file, in its order', async ({ api }) => {
    await freeze(api, 'order.csv', [{ a: 1, b: 2 }], { format: 'csv' })
    await expect(freeze(api, 'order.csv', [{ b: 1, a: 2 }], { format: 'csv', append: true })).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining('it has a, b, they have b, a') })
  })

  test('must have the format of the file', async ({ api }) => {
    await freeze(api, 'format', [{ a: 1 }], { format: 'json' })
    await expect(freeze(api, 'format', [{ a: 1 }], { append: true })).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining('is json') })
  })

  test.for(['ndjson', 'json', 'csv'] as const)('are all there when several queries append at the same time, as %s', { timeout: 60_000 }, async (format, { api }) => {
    const name = `together.${format}`
    const stages = await Promise.all(Array.from({ length: 6 }, (_, query) => written(api, name, Array.from({ length: 500 }, (_, n) => ({ query, n })), { format, append: true })))
    await Promise.all(stages.map((stage) => stage.succeed()))
    const rows = await thaw(api, name)
    expect(rows).toHaveLength(3000)
    expect(new Set(rows.map(({ query, n }) => `${query} ${n}`)).size).toBe(3000)
  })

  test('are appended to what another stage has replaced meanwhile, in content of many chunks', async ({ api }) => {
    await freeze(api, 'meanwhile', [{ first: 1 }], { append: true })
    const late = await written(api, 'meanwhile', manyRows(30_000), { append: true })
    await freeze(api, 'meanwhile', manyRows(25_000))
    await late.succeed()
    expect(await thaw(api, 'meanwhile')).toEqual([...manyRows(25_000), ...manyRows(30_000)])
  }, 60_000)

  test('leave only contents that files hold or the reaper removes', async ({ api }) => {
    await api.house.pool.query("UPDATE cellar_contents SET created_at = now() - interval '3 days' WHERE created_at < now() - interval '1 hour'")
    await reapContents(api.house)
    const [contents, files] = await Promise.all([api.house.db.cellarContent.count(), api.house.db.cellarFile.count()])
    expect(contents).toBe(files)
  })
})

describe('several files of one stage', () => {
  test('do not lock out another stage that writes them the other way round', async ({ api }) => {
    const write = async (names: readonly string[]) => {
      const stage = stageOf(api)
      for (const name of names) {
        const writing = stage.cellar.write(name, { format: 'ndjson', append: true })
        await writing.add([{ name }])
        await writing.end()
      }
      return stage
    }
    const stages = await Promise.all([['one', 'two'], ['two', 'one'], ['one', 'two', 'one']].map(write))
    await Promise.all(stages.map((stage) => stage.succeed()))
    expect(await thaw(api, 'one')).toHaveLength(4)
    expect(await thaw(api, 'two')).toHaveLength(3)
  })

  test('a query thaws, compares and freezes through them', async ({ api }) => {
    await freeze(api, 'prices.csv', [{ sku: 'a', price: 1 }, { sku: 'b', price: 2 }], { format: 'csv' })
    const run = async (text: string): Promise<Row[]> => {
      const stage = stageOf(api)
      const { rows } = await runQuery(text, { outside: openOutside({ cellar: stage.cellar }) })
      await stage.succeed()
      return rows
    }
    expect(await run('thaw prices.csv || diff seen --key sku --update')).toMatchObject([{ sku: 'a', _diff: 'added' }, { sku: 'b', _diff: 'added' }])
    expect(await run("thaw prices.csv || math price 'price * 2' || filter \"sku == 'b'\" || diff seen --key sku --update || freeze changes.json")).toEqual([
      { sku: 'b', price: 4, _diff: 'changed', '_diff.before.price': 2 },
      { sku: 'a', price: 1, _diff: 'removed' },
    ])
    expect(await run('thaw seen')).toEqual([{ sku: 'b', price: 4 }])
    expect(await run('thaw changes.json || table sku')).toEqual([{ sku: 'b' }, { sku: 'a' }])
  })
})

test.for(['ndjson', 'csv'] as const)('a file stays within CELLAR_MAX_BYTES, as %s', async (format) => {
  const api = await startApi({ CELLAR_MAX_BYTES: '100000' })
  onTestFinished(() => api.close())
  await freeze(api, 'small', manyRows(500), { format })
  await expect(freeze(api, 'large', manyRows(2_000), { format })).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining('100,000 bytes') })
  await expect(freeze(api, 'small', manyRows(800), { format, append: true })).rejects.toMatchObject({ code: 'unprocessable' })
  expect(await thaw(api, 'small')).toHaveLength(500)
})
