import { devices } from '../../src/contract/krull/devices.ts'
import { describe, expect, test } from 'vitest'
import { estimateOf } from '../../src/query/estimate.ts'
import { parseQuery } from '../../src/query/plan.ts'

function estimate(text: string) {
  const parsed = parseQuery(text)
  expect(parsed.faults, text).toEqual([])
  return estimateOf(parsed)
}

/** The rows that the last stage makes, as least and most. */
function rowsOf(text: string): (number | null)[] {
  const { least, most } = estimate(text).rows.at(-1) ?? { least: -1, most: -1 }
  return [least, most]
}

describe('rows', () => {
  test.for([
    ['range 10', [10, 10]], ['range 3 11 3', [3, 3]], ['range 10 0 -5', [2, 2]], ['range 5 1', [0, 0]], ['range -5', [0, 0]],
    ["seed '[1, 2, 3]'", [3, 3]], ["seed '{a: 1}'", [1, 1]], ["seed '[]'", [0, 0]], ["seed '\"$rows$\"'", [0, null]], ["seed '[\"$a$\"]'", [1, 1]],
    ['addcolumn a 1', [1, 1]], ['thaw prices', [0, null]], ['queries --limit 7', [0, 7]], ['devices', [devices.length, devices.length]],
    ['range 10 || limit 3', [3, 3]], ['range 10 || limit 3 --offset 9', [1, 1]], ['range 2 || head 3', [2, 2]], ['thaw a || tail 5', [0, 5]], ['range 9 || sample 4', [4, 4]],
    ['range 10 || filter "n > 5"', [0, 10]], ['range 10 || find x || contains n 1 || excludes n 2', [0, 10]], ['thaw a || filter "n > 5"', [0, null]],
    ['range 10 || sort n', [10, 10]], ['range 10 || dedupe', [1, 10]], ['range 0 || dedupe', [0, 0]], ['range 10 || groupBy n', [1, 10]],
    ['thaw a || count', [1, 1]], ['range 0 || count', [1, 1]], ['range 9 || count --by n', [1, 9]], ['range 9 || stats count', [1, 1]], ['range 9 || stats count as by', [1, 1]], ['range 9 || stats count by n', [1, 9]],
    ['range 9 || min n', [1, 1]], ['range 9 || max n --row', [0, 1]], ['range 9 || top 3 n', [0, 3]], ['range 9 || transpose', [0, null]],
    ['range 9 || addcolumn a 1 || rename a b || table b', [9, 9]], ['range 9 || normalize n', [0, null]], ['range 9 || split n , ', [9, 9]], ['range 9 || split n , --rows', [0, null]],
    ['range 2 --labelStage a || range 3 || append a', [5, 5]], ['range 2 || head 1 --appendStage true', [3, 3]], ['range 4 || range 2 || append 0', [6, 6]],
    ['range 4 || range 3 || join 0 n', [0, 12]], ['range 4 || range 3 || join 0 n --type left', [3, 12]], ['range 0 || range 3 || join 0 n --type left', [3, 3]], ['range 4 || range 3 || join 0 n --type anti', [0, 3]],
    ['range 9 || limit $template.n$', [0, null]], ['range 9 || freeze x', [9, 9]],
    ['range 9 || api get https://a.example', [0, null]], ['range 0 || api get https://a.example', [0, 0]], ['range 9 || auth --credential x', [9, 9]], ['range 9 || auth --credential x --onError skip', [0, 9]],
    ['range 9 || crawl https://a.example --limit 5', [0, 45]], ['range 9007199254740991 || range 9007199254740991 || join 0 n', [0, null]],
  ] as const)('of %s are %j', ([text, bounds]) => {
    expect(rowsOf(text)).toEqual(bounds)
  })

  test('are told of every stage', () => {
    expect(estimate('range 10 || filter "n > 5" || limit 3 || count').rows).toEqual([
      { least: 10, most: 10 }, { least: 0, most: 10 }, { least: 0, most: 3 }, { least: 1, most: 1 },
    ])
  })
})

describe('requests', () => {
  test.for([
    ['range 10 || limit 3', [0, 0]], ['api get https://a.example', [1, 1]], ['range 10 || api get https://a.example', [10, 10]], ['range 10 || filter "n > 5" || feed https://a.example', [0, 10]],
    ['api get https://a.example --paginate next --pages 5', [1, 5]], ['api get https://a.example --while "n == 1"', [1, null]], ['thaw a || graphql https://a.example "{a}"', [0, null]],
    ['range 3 || open https://a.example', [3, 3]], ['evaluate "1 + 1"', [0, 0]], ['evaluate "1 + 1" --url https://a.example', [1, 1]], ['range 3 || notify https://a.example', [3, 3]],
    ['range 3 || notify https://a.example --batch', [1, 1]], ['range 0 || notify https://a.example --batch', [0, 0]], ['sitemap https://a.example', [1, null]], ['runTemplate x', [0, null]],
    ['range 2 || open https://a.example || head 4 || api get https://b.example', [2, 6]],
  ] as const)('of %s are %j', ([text, [least, most]]) => {
    expect(estimate(text).requests).toEqual({ least, most })
  })

  test('go to the host that a stage names', () => {
    const { sendings } = estimate('range 2 || api get https://A.example/x || head 1 || feed https://$host$/ || prompt https://not.example --credential x --url https://model.example')
    expect(sendings.map(({ host }) => host)).toEqual(['a.example', null, 'model.example'])
  })
})

test.for([
  ['range 5', [0, 0]], ['api get https://a.example', [1, 1]], ['range 1000 || api get https://a.example', [2, 1000]],
  ['range 100 || open https://a.example', [10, 100]], ['range 3 || notify https://a.example --batch', [0, 0]], ['thaw a || feed https://a.example', [0, null]], ['runTemplate x', [0, null]],
] as const)('the jobs of %s are %j', ([text, [least, most]]) => {
  expect(estimate(text).jobs).toEqual({ least, most })
})
