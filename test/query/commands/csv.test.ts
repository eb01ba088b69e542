import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('csv', () => {
  test('puts the lines in place of the column', async () => {
    expect(await rowsOf('seed \'{a: 1, d: "x,y\\n1,p\\n2,\\"q,r\\""}\' || csv d')).toEqual([{ a: 1, 'd.0.x': 1, 'd.0.y': 'p', 'd.1.x': 2, 'd.1.y': 'q,r' }])
  })

  test('with --rows makes a row a line', async () => {
    expect(await rowsOf("seed '[{d: \"x\\n1\\na\"}, {d: \"x\\n2\"}]' || csv d --rows")).toEqual([{ 'd.x': '1' }, { 'd.x': 'a' }, { 'd.x': 2 }])
  })

  test('leaves what cannot be parsed, with a warning', async () => {
    const { rows, warnings } = await runQuery("seed '[{d: \"x\\n\\\\\"1\"}, {d: null}]' || csv d")
    expect(rows).toEqual([{ d: 'x\n"1' }, { d: null }])
    expect(warnings).toEqual([expect.stringContaining('not closed')])
  })

  test('hands many lines on', async () => {
    expect(await rowsOf(`range 3 || addcolumn d "x\n${'1\n'.repeat(1500)}" || csv d --rows`)).toHaveLength(4500)
  })
})
