import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('addcolumn', () => {
  test('as the first stage makes one row', async () => {
    expect(await rowsOf('addcolumn a 1')).toEqual([{ a: 1 }])
  })

  test('keeps the types of bare words and of a single token', async () => {
    expect(await rowsOf("range 1 || addcolumn a true || addcolumn b '1' || addcolumn c $n$ || addcolumn d 'no. $n$'")).toEqual([{ n: 0, a: true, b: '1', c: 0, d: 'no. 0' }])
  })

  test('takes the name of the column from the row', async () => {
    const seed = 'seed \'[{k: "size", v: 7}, {k: "__proto__", v: 8}]\''
    const rows = await rowsOf(`${seed} || addcolumn "x.$k$" $v$ || math $k$ 'v * 2' || untable k v`)
    expect(rows.map((row) => Object.entries(row))).toEqual([[['x.size', 7], ['size', 14]], [['x.__proto__', 8], ['__proto__', 16]]])
  })

  test('does not read data as syntax', async () => {
    expect(await rowsOf("seed '{a: \"$$b$$ || limit 0\", b: 1}' || addcolumn c $a$")).toEqual([{ a: '$b$ || limit 0', b: 1, c: '$b$ || limit 0' }])
  })

  test('warns of a token that is no column', async () => {
    const { rows, warnings } = await runQuery('addcolumn a $nope$')
    expect(rows).toEqual([{ a: null }])
    expect(warnings).toHaveLength(1)
  })
})
