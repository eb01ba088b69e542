import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('json', () => {
  test('puts what it parsed in place of the column', async () => {
    expect(JSON.stringify(await rowsOf(`seed '{a: 1, j: "{\\"x\\": {\\"y\\": [1, true]}}", b: 2}' || json j`))).toBe('[{"a":1,"j.x.y.0":1,"j.x.y.1":true,"b":2}]')
  })

  test('with --rows makes a row an item', async () => {
    expect(await rowsOf('addcolumn j \'[{"x": 1}, 2, [3]]\' || json j --rows')).toEqual([{ 'j.x': 1 }, { j: 2 }, { 'j.0': 3 }])
    expect(await rowsOf("addcolumn j '[]' || json j --rows")).toEqual([])
    expect(await rowsOf('addcolumn j \'{"x": 1}\' || json j --rows')).toEqual([{ 'j.x': 1 }])
  })

  test('keeps a bare value in the column', async () => {
    expect(await rowsOf("addcolumn j '5' || json j")).toEqual([{ j: 5 }])
  })

  test('leaves what cannot be parsed, with a warning', async () => {
    const { rows, warnings } = await runQuery(`seed '[{j: "{"}, {j: ""}, {j: 1}, {}, {j: "1e999"}]' || json j`)
    expect(rows).toEqual([{ j: '{' }, { j: '' }, { j: 1 }, {}, { j: '1e999' }])
    expect(warnings).toEqual([expect.stringMatching(/^j was not parsed: /), 'j was not parsed: it holds a number beyond the range of a double'])
  })

  test('refuses depth without end', async () => {
    const { warnings } = await runQuery(`addcolumn j '${'['.repeat(30_000)}${']'.repeat(30_000)}' || json j`)
    expect(warnings).toEqual(['j was not parsed: it is nested deeper than 64 levels'])
  })

  test('keeps keys of the prototype as columns', async () => {
    const [row] = await rowsOf('addcolumn j \'{"__proto__": {"x": 1}, "constructor": 2}\' || json j')
    expect(Object.entries(row ?? {})).toEqual([['j.__proto__.x', 1], ['j.constructor', 2]])
  })
})
