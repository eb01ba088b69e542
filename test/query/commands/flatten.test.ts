import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('flatten', () => {
  test('parses JSON in a column and flattens it', async () => {
    expect(await rowsOf('addcolumn j \'{"a": [{"b": null}], "c": "x"}\' || flatten j')).toEqual([{ 'j.a.0.b': null, 'j.c': 'x' }])
  })

  test('leaves what is no JSON, with a warning', async () => {
    const { rows, warnings } = await runQuery('addcolumn j nope || flatten j')
    expect(rows).toEqual([{ j: 'nope' }])
    expect(warnings).toHaveLength(1)
  })
})
