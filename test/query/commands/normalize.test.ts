import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('normalize', () => {
  test('makes a row per index, drops prefix and index, and repeats the other columns', async () => {
    expect(await rowsOf(`seed '{shop: 1, items: [{name: "a", tags: ["x"]}, {name: "b"}], itemsTotal: 2}' || normalize items`)).toEqual([
      { shop: 1, itemsTotal: 2, name: 'a', 'tags.0': 'x' },
      { shop: 1, itemsTotal: 2, name: 'b' },
    ])
  })

  test('names scalars value, in the order of the indexes', async () => {
    const letters = Array.from({ length: 12 }, (_, n) => `"${n}"`).join(',')
    expect((await rowsOf(`seed '{t: [${letters}]}' || normalize t`)).map((row) => row['value'])).toEqual(Array.from({ length: 12 }, (_, n) => String(n)))
  })

  test('takes a prefix with dots, and leaves what is no index', async () => {
    expect(await rowsOf(`seed '{a: {b: [{c: 1}], n: 2, "0x": 3}}' || normalize a.b`)).toEqual([{ 'a.n': 2, 'a.0x': 3, c: 1 }])
    expect(await rowsOf(`seed '{a: {"0": 1, "01": 2, x: 3}}' || normalize a`)).toEqual([{ 'a.01': 2, 'a.x': 3, value: 1 }])
  })

  test('lets the column of the item win', async () => {
    expect(await rowsOf(`seed '{id: 1, items: [{id: 2}]}' || normalize items`)).toEqual([{ id: 2 }])
  })

  test('makes no row of a row without an index, with a warning', async () => {
    const { rows, warnings } = await runQuery(`seed '[{id: 1, items: []}, {items: [5]}]' || normalize items`)
    expect(rows).toEqual([{ value: 5 }])
    expect(warnings).toHaveLength(1)
  })
})
