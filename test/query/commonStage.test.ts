import { describe, expect, test } from 'vitest'
import { rowsOf } from '../support/runQuery.ts'
import { faultsOf, seedRows } from '../support/seedRows.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('--guid', () => {
  test('gives every row a fresh UUID', async () => {
    const rows = await rowsOf('range 2500 --guid')
    expect(new Set(rows.map(({ _guid }) => _guid)).size).toBe(2500)
    expect(rows[0]).toEqual({ n: 0, _guid: expect.stringMatching(uuid) })
  })

  test('leaves the rows of the stage before as they were', async () => {
    expect(await rowsOf('range 1 || limit 1 --guid || append 0 || untable _guid')).toEqual([{ n: 0 }, { n: 0 }])
    expect((await rowsOf('range 1 || limit 1 --guid || append 0')).map((row) => Object.keys(row))).toEqual([['n', '_guid'], ['n']])
  })

  test('does nothing when it is false', async () => {
    expect(await rowsOf('range 1 --guid false')).toEqual([{ n: 0 }])
  })
})

describe('--table', () => {
  const rows = seedRows([{ a: 1, b: { x: 2, y: 3 }, 'c d': 4, 'e,f': 5 }])

  test('keeps only these columns of the result, in this order', async () => {
    expect(Object.entries((await rowsOf(`${rows} --table "b.y a"`))[0] ?? {})).toEqual([['b.y', 3], ['a', 1]])
  })

  test('takes prefixes, commas, and quotes around names that hold spaces or commas', async () => {
    expect(await rowsOf(`${rows} --table "a, b.*"`)).toEqual([{ a: 1, 'b.x': 2, 'b.y': 3 }])
    expect(await rowsOf(`${rows} --table "'c d' 'e,f'"`)).toEqual([{ 'c d': 4, 'e,f': 5 }])
  })

  test('refuses to keep nothing', () => {
    expect(faultsOf('range 3 --table " "')).toMatchObject([{ message: 'must name a column' }])
  })

  test('keeps the id that is asked for beside it', async () => {
    expect(await rowsOf(`${rows} --table a --guid`)).toEqual([{ a: 1, _guid: expect.stringMatching(uuid) }])
  })
})

describe('--appendStage', () => {
  test('appends the rows of a labelled stage, of a numbered one, or of the one before', async () => {
    const expected = [{ n: 1 }, { n: 0 }, { n: 1 }]
    expect(await rowsOf('range 2 --labelStage all || filter "n == 1" --appendStage all')).toEqual(expected)
    expect(await rowsOf('range 2 || filter "n == 1" --appendStage 0')).toEqual(expected)
    expect(await rowsOf('range 2 || filter "n == 1" --appendStage true')).toEqual(expected)
  })

  test('means the stage before by true, even where another is labelled by its number', async () => {
    expect(await rowsOf('range 1 --labelStage 1 || range 5 7 || limit 1 --appendStage true')).toEqual([{ n: 5 }, { n: 5 }, { n: 6 }])
  })

  test('appends all rows of a stage that was not read to its end', async () => {
    expect(await rowsOf('range 5000 || limit 1 --appendStage true || count')).toEqual([{ count: 5001 }])
  })

  test('hands the appended rows to the next stage and to those that read this one again', async () => {
    expect(await rowsOf('range 1 || range 5 6 --appendStage 0 --labelStage both || range 9 10 || append both')).toEqual([{ n: 9 }, { n: 5 }, { n: 0 }])
  })

  test('comes before --table and --guid, which see all rows of the result', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1, b: 2 }])} || ${seedRows([{ a: 3, c: 4 }])} --appendStage 0 --table a`)).toEqual([{ a: 3 }, { a: 1 }])
    expect((await rowsOf('range 1 || range 1 --appendStage 0 --guid')).map(({ _guid }) => typeof _guid)).toEqual(['string', 'string'])
  })

  test('refuses a stage that is not before it', () => {
    expect(faultsOf('range 3 --appendStage true')).toHaveLength(1)
    expect(faultsOf('range 3 || limit 1 --appendStage 1')).toMatchObject([{ at: '1' }])
  })
})
