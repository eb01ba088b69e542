import { describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import type { Operation } from '../../src/contract/define.ts'
import { gonogoService } from '../../src/contract/gonogo/service.ts'
import { jobs } from '../../src/contract/jobs/jobs.ts'
import { pages } from '../../src/contract/krull/pages.ts'
import { repeats } from '../../src/contract/krull/repeats.ts'
import { krullSystem } from '../../src/contract/krull/system.ts'
import { streamWrites } from '../../src/contract/mentos/streamWrites.ts'
import { screenshots } from '../../src/contract/screenshot/screenshots.ts'
import { commands } from '../../src/contract/sirp/commands.ts'
import { queries } from '../../src/contract/sirp/queries.ts'
import { queryDispatches } from '../../src/contract/sirp/queryDispatch.ts'
import { queryPlans } from '../../src/contract/sirp/queryPlan.ts'
import { queryResults } from '../../src/contract/sirp/queryResults.ts'
import { querySummaries } from '../../src/contract/sirp/querySummary.ts'
import { services } from '../../src/contract/sirp/services.ts'
import { stages } from '../../src/contract/sirp/stages.ts'
import { templateRuns } from '../../src/contract/sirp/templateRuns.ts'
import { workers } from '../../src/contract/workers/workers.ts'
import { codeBound, expectBound, inputOf, type Bound } from '../support/bounds.ts'

const table = {
  ...pages, ...repeats, ...krullSystem, ...screenshots, ...gonogoService, ...jobs, ...workers, ...streamWrites,
  ...queryPlans, ...queryDispatches, ...queries, ...queryResults, ...querySummaries, ...stages, ...commands, ...services, ...templateRuns,
} as const

const rows: ReadonlyArray<readonly [string, Operation]> = Object.entries(table)

const uuid = '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52'

/** A right value for every field that one of the operations below requires. */
const samples: Readonly<Record<string, unknown>> = { query: 'range 3', command: 'range', config: { rows: [] }, hash: 'a'.repeat(64) }

const texts = ['sirp.query.parse', 'sirp.query.dispatch', 'sirp.query.dispatchWait', 'sirp.template.dispatchWait', 'sirp.template.parse'] as const
const starts = ['sirp.query.dispatch', 'sirp.query.dispatchWait', 'sirp.template.dispatchWait'] as const

/** Both sides of every limit of the interface that is not a browser option's. */
const bounds: ReadonlyArray<Bound & { readonly ids: ReadonlyArray<keyof typeof table> }> = [
  { ids: texts, field: 'query', ...codeBound },
  { ids: ['sirp.query.decorate'], field: 'query', right: ['', ...codeBound.right], wrong: codeBound.wrong.slice(1) },
  { ids: starts, field: 'minutes', right: [0, 2_147_483_647], wrong: [-1, 0.5, 2_147_483_648, '5'] },
  { ids: starts, field: 'ttl', right: [0, 315_360_000], wrong: [-1, 0.5, 315_360_001, '5'] },
  { ids: starts, field: 'metadata', right: [{}, { a: [1] }], wrong: [[], 'a', 1] },
  { ids: starts, field: 'cleanup', right: [true, false], wrong: ['true', 1] },
  { ids: starts, field: 'summary', right: [true, false], wrong: ['true', 1] },
  { ids: ['sirp.query.dispatch'], field: 'mode', right: ['turbo', 'comprehensive'], wrong: ['fast', '', 1] },
  { ids: ['sirp.query.dispatchWait', 'sirp.template.dispatchWait'], field: 'mode', right: [], wrong: ['turbo', 'comprehensive'] },
  { ids: ['sirp.template.dispatchWait', 'sirp.template.parse'], field: 'values', right: [{}, { a: 1 }], wrong: [[], 'a'] },
  { ids: ['sirp.command.dispatch'], field: 'args', right: [[], [[1], ['a', 'b']]], wrong: [[1], [[]], {}] },
  { ids: ['sirp.command.dispatch'], field: 'flags', right: [{}, { a: 1 }], wrong: [[], 'a'] },
  { ids: ['sirp.command.dispatch'], field: 'prev', right: [uuid], wrong: ['1', ''] },
  { ids: ['sirp.command.dispatch'], field: 'id', right: [uuid], wrong: ['1', ''] },
  { ids: ['sirp.command.dispatch'], field: 'line', right: [0, 7], wrong: [-1, 0.5, '7'] },
  { ids: ['mentos.stream.write'], field: 'name', right: ['n', 'n'.repeat(1000)], wrong: ['', 'n'.repeat(1001), ' n', '..'] },
  {
    ids: ['mentos.stream.write'],
    field: 'config',
    right: [{}, { rows: [{}] }, { queryId: uuid, stage: 0 }, { queryId: uuid, stage: 'all' }, { stream: { store: 'a', format: 'csv', batch: { rows: 1 } } }],
    wrong: [[], { rows: [1] }, { queryId: 'a' }, { stage: -1 }, { stream: {} }, { stream: { store: 'a/b' } }, { stream: { store: 'a', batch: { rows: 0 } } }, { more: 1 }],
  },
  {
    ids: ['screenshot.image.read'],
    field: 'hash',
    right: ['a'.repeat(64), '0123456789abcdefABCDEF0123456789abcdefABCDEF01234567890123456789'],
    wrong: ['a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(63)}g`, `${'a'.repeat(64)}\n`, ''],
  },
  { ids: ['sirp.query.list', 'sirp.query.results', 'jobs.job.list', 'workers.worker.list'], field: 'limit', right: [1, 1000], wrong: [0, 1001, 0.5] },
  { ids: ['sirp.query.list'], field: 'status', right: ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'], wrong: ['done', ''] },
  { ids: ['sirp.query.results'], field: 'mode', right: ['content', 'rows', 'ndjson', 'csv'], wrong: ['json', ''] },
  { ids: ['sirp.query.results'], field: 'sortOrder', right: ['ascending', 'descending', 'asc', 'desc'], wrong: ['up', ''] },
]

describe('limits', () => {
  const cases = bounds.flatMap(({ ids, ...bound }) => ids.map((id) => ({ id, field: bound.field, bound })))

  test.each(cases)('$id takes $field up to its limits and nothing beyond', ({ id, bound }) => {
    const schema = inputOf(table[id])
    expectBound(schema, Object.fromEntries((schema.required ?? []).map((field) => [field, samples[field]])), bound)
  })
})

describe('rows', () => {
  test.each(rows.filter(([, { body }]) => body))('%s has an example that its body takes', (_id, { body, example }) => {
    expect(example).toBeDefined()
    if (body) expect([...Compile(body).Errors(example)]).toEqual([])
  })

  test.each(rows)('%s refuses fields that it does not know, wherever they are sent', (_id, { body, query, params }) => {
    for (const schema of [body, query, params]) if (schema) expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
  })

  test.each(rows)('%s declares exactly the parameters of its path', (_id, { path, params }) => {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(params?.properties ?? {}).toSorted()).toEqual(named.toSorted())
  })

  test('no two rows share a method and a path', () => {
    const routes = rows.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
    expect(routes).toEqual([...new Set(routes)])
  })
})
