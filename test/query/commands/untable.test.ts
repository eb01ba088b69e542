import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('untable', () => {
  test('drops columns and all below a prefix', async () => {
    expect(await rowsOf("seed '{a: 1, b: {x: 2, y: 3}, c: 4}' || untable a b.*")).toEqual([{ c: 4 }])
  })

  test('passes over columns that are not there', async () => {
    expect(await rowsOf("seed '{a: 1}' || untable z constructor")).toEqual([{ a: 1 }])
  })

  test('keeps and drops a column of the name __proto__', async () => {
    const query = "seed '{a: 1}' || addcolumn __proto__ x"
    expect(Object.keys((await rowsOf(`${query} || untable a`))[0] ?? {})).toEqual(['__proto__'])
    expect(Object.keys((await rowsOf(`${query} || untable __proto__`))[0] ?? {})).toEqual(['a'])
  })
})
