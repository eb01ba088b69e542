import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/query/rows.ts'
import { openScratch } from '../../../workers/query/scratch.ts'
import { openMemoryCellar } from '../../support/memoryCellar.ts'
import { openOutside } from '../../support/outside.ts'
import { runQuery } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'
import { makeTestDir } from '../../support/testDir.ts'

/** The answer of `diff set …` with rows against a frozen set, and what was frozen. */
async function compared(flags: string, rows: readonly Row[], set?: readonly Row[]) {
  const cellar = openMemoryCellar(set ? { set } : {})
  const answer = await runQuery(`${seedRows(rows)} || diff set ${flags}`, { outside: openOutside({ cellar }) })
  return { rows: answer.rows, frozen: cellar.written.get('set')?.rows }
}

describe('diff', () => {
  test('tells new rows in their order, then removed ones in theirs', async () => {
    const before = [{ sku: 'd', price: 4 }, { sku: 'a', price: 1 }, { sku: 'b', price: 2 }, { sku: 'c', price: 3 }]
    const { rows } = await compared('--key sku', [{ sku: 'e', price: 5 }, { sku: 'b', price: 9 }, { sku: 'a', price: 1 }], before)
    expect(rows).toEqual([
      { sku: 'e', price: 5, _diff: 'added' },
      { sku: 'b', price: 9, _diff: 'changed', '_diff.before.price': 2 },
      { sku: 'd', price: 4, _diff: 'removed' },
      { sku: 'c', price: 3, _diff: 'removed' },
    ])
  })

  test('tells rows that have not changed only with --all', async () => {
    expect((await compared('--key a --all', [{ a: 1, b: 2 }], [{ a: 1, b: 2 }])).rows).toEqual([{ a: 1, b: 2, _diff: 'unchanged' }])
    expect((await compared('--key a', [{ a: 1, b: 2 }], [{ a: 1, b: 2 }])).rows).toEqual([])
  })

  test('shows what the columns were that changed, came or went; a missing column is null', async () => {
    const { rows } = await compared('--key a', [{ a: 1, same: 1, changed: 2, come: 3, none: null }], [{ a: 1, same: 1, changed: 'x', gone: true, empty: null }])
    expect(rows).toEqual([{ a: 1, same: 1, changed: 2, come: 3, none: null, _diff: 'changed', '_diff.before.changed': 'x', '_diff.before.come': null, '_diff.before.gone': true }])
  })

  test('without a key compares whole rows, whatever the order of their columns', async () => {
    expect((await compared('', [{ b: 1, a: 1 }, { a: 2 }], [{ a: 1, b: 1 }, { a: 3 }])).rows).toEqual([{ a: 2, _diff: 'added' }, { a: 3, _diff: 'removed' }])
  })

  test('takes several keys', async () => {
    const { rows } = await compared('--key shop --key sku', [{ shop: 'x', sku: 1, p: 2 }, { shop: 'y', sku: 1, p: 1 }], [{ shop: 'x', sku: 1, p: 1 }])
    expect(rows).toEqual([{ shop: 'x', sku: 1, p: 2, _diff: 'changed', '_diff.before.p': 1 }, { shop: 'y', sku: 1, p: 1, _diff: 'added' }])
  })

  test('takes further keys behind the first, and no column without --key', async () => {
    const { rows } = await compared('--key shop sku', [{ shop: 'x', sku: 1, p: 2 }, { shop: 'y', sku: 1, p: 1 }], [{ shop: 'x', sku: 1, p: 1 }])
    expect(rows.map(({ _diff }) => _diff)).toEqual(['changed', 'added'])
    expect(faultsOf('range 1 || diff set n')).toEqual([{ at: 'n', message: 'diff takes columns only with --key' }])
  })

  test('compares several rows of one key in order', async () => {
    const { rows } = await compared('--key k', [{ k: 1, v: 1 }, { k: 1, v: 5 }, { k: 1, v: 3 }, { k: 1, v: 4 }], [{ k: 1, v: 1 }, { k: 1, v: 2 }, { k: 1, v: 3 }])
    expect(rows).toEqual([{ k: 1, v: 5, _diff: 'changed', '_diff.before.v': 2 }, { k: 1, v: 4, _diff: 'added' }])
    const fewer = await compared('--key k', [{ k: 1, v: 1 }], [{ k: 1, v: 1 }, { k: 1, v: 2 }, { k: 1, v: 3 }])
    expect(fewer.rows).toEqual([{ k: 1, v: 2, _diff: 'removed' }, { k: 1, v: 3, _diff: 'removed' }])
  })

  test.for<[string, Row[], Row[]]>([
    ['csv', [{ id: '01', yes: true, none: null, n: '5', price: '1.50', sum: '=1+1' }, { id: '2', none: '' }], [{ id: '01', yes: 'true', none: '', n: 5, price: 1.5, sum: "'=1+1" }, { id: '2', yes: '', none: '', n: null, price: null, sum: '' }]],
    ['parquet', [{ id: 1, mixed: true }, { id: 'x', mixed: 2 }], [{ id: '1', mixed: 'true' }, { id: 'x', mixed: '2' }]],
  ])('finds no difference that is only the form of a set in %s', async ([ending, rows, set]) => {
    const outside = openOutside({ cellar: openMemoryCellar({ [`set.${ending}`]: set }) })
    for (const key of ['--key id', '']) expect((await runQuery(`${seedRows(rows)} || diff set.${ending} ${key}`, { outside })).rows, key).toEqual([])
    const changed = await runQuery(`${seedRows(rows.slice(1).map((row) => ({ ...row, mixed: 3 })))} || diff set.${ending} --key id`, { outside })
    expect(changed.rows.map(({ _diff }) => _diff)).toEqual(['changed', 'removed'])
  })

  test('takes a set that was never frozen for empty', async () => {
    expect((await compared('--key a', [{ a: 1 }])).rows).toEqual([{ a: 1, _diff: 'added' }])
  })

  test('freezes the new rows with --update, without what an earlier diff wrote into them', async () => {
    const marked = [{ a: 1, _diff: 'added', '_diff.before.b': 2 }, { a: 2 }]
    const { rows, frozen } = await compared('--key a --update', marked, [{ a: 2, _diff: 'removed' }])
    expect(rows).toEqual([{ a: 1, _diff: 'added' }])
    expect(frozen).toEqual([{ a: 1 }, { a: 2 }])
    expect((await compared('--key a', marked)).frozen).toBeUndefined()
  })

  test('freezes all new rows also where the stage behind it wants only some', async () => {
    const cellar = openMemoryCellar()
    await runQuery('range 5000 || diff set --update || head 1', { outside: openOutside({ cellar }) })
    expect(cellar.written.get('set')?.rows).toHaveLength(5000)
  })

  test('refuses a name that no file can have', () => {
    expect(faultsOf("range 1 || diff 'a/b'")).toMatchObject([{ at: "'a/b'" }])
  })

  test.for([[2 ** 14, 977], [2 ** 16, 8_000], [2 ** 16, 1]] as const)('answers the same on disk as in memory, with %i bytes and %i keys', async ([memoryBytes, keys]) => {
    const row = (n: number, v: number): Row => ({ n: n % keys, v, text: `row ${n}` })
    const before = Array.from({ length: 8_000 }, (_, n) => row(n * 7, n % 11))
    const after = Array.from({ length: 6_000 }, (_, n) => row(n * 5 + 3, n % 13))
    const cellar = openMemoryCellar({ before, after })
    const run = async (bytes: number) => {
      const scratch = openScratch(await makeTestDir(), bytes)
      const { rows } = await runQuery('thaw after || diff before --key n --all', { outside: openOutside({ cellar }), scratch })
      await scratch.close()
      return rows
    }
    const rows = await run(memoryBytes)
    expect(rows.length).toBeGreaterThanOrEqual(8_000)
    expect(rows).toEqual(await run(2 ** 30))
  })
})
