import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/query/plan.ts'
import { segmentsOf } from '../../src/query/segments.ts'
import { showStages } from '../../src/query/showPlan.ts'

/** The stages that run together, with how they run. */
const runsOf = (query: string): string[] => segmentsOf(parseQuery(query).stages).map(({ from, to, runs }) => `${runs} ${from}-${to - 1}`)

describe('the segments of a query', () => {
  test.for([
    ['range 3 || filter "n > 1" || count', ['pass 0-2']],
    ['range 3 || api get http://a.example || count || sort count', ['pass 0-0', 'jobs 1-1', 'pass 2-3']],
    ['api get http://a.example || api get http://b.example', ['jobs 0-0', 'jobs 1-1']],
    ['range 3 || range 4 || count', ['pass 0-0', 'pass 1-2']],
    ['runTemplate x || count', ['query 0-0', 'pass 1-1']],
  ] as const)('of %j are %j', ([query, segments]) => {
    expect(runsOf(query)).toEqual(segments)
  })

  test.for([
    ['range 3 || freeze x || head 0', ['pass 0-1', 'pass 2-2']],
    ['range 3 || diff x --key n --update || head 0', ['pass 0-1', 'pass 2-2']],
    ['range 3 || diff x --key n || head 0', ['pass 0-2']],
    ['range 3 --checkpoint "last:n" || head 0', ['pass 0-0', 'pass 1-1']],
    ['range 3 || notify http://a.example --batch || head 0', ['pass 0-1', 'pass 2-2']],
    ['range 3 || notify http://a.example || head 0', ['pass 0-0', 'jobs 1-1', 'pass 2-2']],
  ] as const)('of %j end behind what must see every row: %j', ([query, segments]) => {
    expect(runsOf(query)).toEqual(segments)
  })

  test('hold no more stages than the stack can', () => {
    expect(runsOf(`range 3 || ${Array.from({ length: 450 }, () => 'sequence').join(' || ')}`)).toEqual(['pass 0-199', 'pass 200-399', 'pass 400-450'])
  })

  test('are what the plan shows', () => {
    const shown = showStages(parseQuery('range 3 || freeze x || head 2 || notify http://a.example || count || sum count'), false)
    expect(shown.map(({ fusedWith }) => fusedWith)).toEqual([[1], [0], undefined, undefined, [5], [4]])
  })
})
