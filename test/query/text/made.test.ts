import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

const long = `addcolumn a ${'x'.repeat(600_000)}`
const times = (count: number, stage: string) => Array.from({ length: count }, () => stage).join(' || ')

describe('texts that a query makes', () => {
  test.for([
    ['by adding', times(5, 'math a "a + a"')],
    ['by tokens', times(5, 'addcolumn a "$a$$a$"')],
    ['by rows in rows', Array.from({ length: 6 }, (_, index) => `addcolumn b${index} $ROW$`).join(' || ')],
    ['by literals', times(5, `math a "'$a$ $a$'"`)],
    ['by replacing', 'replace a x "$a$"'],
    ['by a pattern', 'replace a x "$a$" --regex'],
    ['by functions', `math a "replace(a, 'x', a)"`],
    ['by joining', `math a "join(split(a, 'x'), a)"`],
  ] as const)('%s end at a bound', async ([, stages]) => {
    const failed = await rowsOf(`${long} || ${stages}`).then(() => null, (error: unknown) => error)
    expect(failed).toMatchObject({ code: 'unprocessable', message: expect.stringContaining('8,388,608 characters') as string })
  })

  test('may be as long as the bound', async () => {
    expect(await rowsOf(`${long} || ${times(3, 'math a "a + a"')} || math l "length(a)" || table l`)).toEqual([{ l: 4_800_000 }])
  })
})
