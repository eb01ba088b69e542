import { describe, expect } from 'vitest'
import { runToEnd } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'

describe('a query on a worker', () => {
  test('runs its stages and answers its rows', async ({ call }) => {
    const waited = await call('sirp.query.dispatchWait', { body: { query: 'range 10 || filter "n > 3" || limit 3' } })
    expect(waited).toMatchObject({ status: 'completed', total: 3, results: [{ content: { n: 4 } }, { content: { n: 5 } }, { content: { n: 6 } }] })
    const stages = await call('sirp.stage.list', { params: { id: waited.id } })
    expect(stages.items.map(({ command, rowsIn, rowsOut, status }) => ({ command, rowsIn, rowsOut, status }))).toEqual([
      { command: 'range', rowsIn: 0, rowsOut: 10, status: 'completed' },
      { command: 'filter', rowsIn: 10, rowsOut: 6, status: 'completed' },
      { command: 'limit', rowsIn: 6, rowsOut: 3, status: 'completed' },
    ])
  })

  test('whose command fails without jobs shows it on the record of that command', async ({ call }) => {
    const { id, status, error } = await runToEnd(call, 'range 3 || addcolumn a b || thaw missing.ndjson')
    expect([status, error?.code]).toEqual(['failed', 'not_found'])
    const params = { id, stage: '2' }
    expect(await call('sirp.stage.read', { params })).toMatchObject({ status: 'failed', commands: { total: 1, completed: 0, failed: 1 }, error: { stage: 2 } })
    expect((await call('sirp.stage.commands', { params })).items).toMatchObject([{ command: 'thaw', args: ['missing.ndjson'], status: 'failed', error: { code: error?.code, stage: 2 } }])
  })

  test('may have very many stages', async ({ call }) => {
    const query = `range 2 || ${Array.from({ length: 1_200 }, () => 'sequence').join(' || ')}`
    expect(await call('sirp.query.dispatchWait', { body: { query } })).toMatchObject({ status: 'completed', results: [{ content: { n: 0, _sequence: 0 } }, { content: { n: 1, _sequence: 1 } }] })
  })
})
