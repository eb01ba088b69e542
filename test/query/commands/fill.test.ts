import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('fill', () => {
  test('sets null, missing and empty cells only', async () => {
    expect(await rowsOf(`seed '[{a: null}, {}, {a: ""}, {a: 0}, {a: false}]' || fill a 9`)).toEqual([{ a: 9 }, { a: 9 }, { a: 9 }, { a: 0 }, { a: false }])
  })

  test('takes the value from the row', async () => {
    expect(await rowsOf(`seed '[{a: null, b: 2}, {a: 1, b: 3}]' || fill a $b$`)).toEqual([{ a: 2, b: 2 }, { a: 1, b: 3 }])
  })

  test('with --down takes the value above, also across batches', async () => {
    expect(await rowsOf(`seed '[{a: null}, {a: "x"}, {a: ""}, {b: 1}, {a: "y"}, {}]' || fill a --down`)).toEqual([{ a: null }, { a: 'x' }, { a: 'x' }, { b: 1, a: 'x' }, { a: 'y' }, { a: 'y' }])
    const rows = await rowsOf(`range 2500 || case k 'n == 0' first || fill k --down`)
    expect(rows.every((row) => row['k'] === 'first')).toBe(true)
  })

  test('fills all below a prefix', async () => {
    expect(await rowsOf(`seed '{p: {x: null, y: 1}}' || fill p.* 0`)).toEqual([{ 'p.x': 0, 'p.y': 1 }])
  })

  test('wants either a value or --down', () => {
    expect(parseQuery('range 1 || fill n').faults).toMatchObject([{ message: 'fill needs a value' }])
    expect(parseQuery('range 1 || fill n 1 --down').faults).toMatchObject([{ start: 18, message: 'fill --down takes no value' }])
  })
})
