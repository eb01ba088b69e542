import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { countedRows, keepQuery, keepRows, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.stage.list'

const query = 'range 3 --labelStage first || limit 2 || screenshot "http://a.example" || sort $template.by$ --labelStage last'

describe(id, () => {
  test('answers every stage, also those that have not begun, page by page', async ({ api, sendAs }) => {
    const startedAt = new Date('2031-01-01T00:00:00.000Z')
    const queryId = await keepQuery(api.house, { query, known: { by: 'n' }, stagesTotal: 4, status: 'running' })
    await keepStage(api.house, queryId, 0, { label: 'first', rowsOut: 3, commandsTotal: 1, commandsCompleted: 1, cached: true, startedAt, finishedAt: startedAt })
    await keepStage(api.house, queryId, 1, { command: 'limit', kind: 'map', status: 'running', rowsIn: 3, commandsTotal: 1, startedAt })
    const none = { rowsIn: 0, rowsOut: 0, commands: { total: 0, completed: 0, failed: 0, skipped: 0 }, cached: false, startedAt: null, finishedAt: null }
    const items = [
      { ...none, stage: 0, label: 'first', command: 'range', kind: 'generate', status: 'completed', rowsOut: 3, commands: { total: 1, completed: 1, failed: 0, skipped: 0 }, cached: true, startedAt: startedAt.toISOString(), finishedAt: startedAt.toISOString() },
      { ...none, stage: 1, command: 'limit', kind: 'map', status: 'running', rowsIn: 3, commands: { total: 1, completed: 0, failed: 0, skipped: 0 }, startedAt: startedAt.toISOString() },
      { ...none, stage: 2, command: 'screenshot', kind: 'expand', status: 'queued' },
      { ...none, stage: 3, label: 'last', command: 'sort', kind: 'reduce', status: 'queued' },
    ]
    const send = (page: Readonly<Record<string, string | number>>) => sendAs(api.adminKey, id, { params: { id: queryId }, query: page })
    await expectPaging(send, items)
    await expectPageBounds(send)
  })

  test.for([['failed', 'skipped'], ['expired', 'skipped'], ['cancelled', 'cancelled'], ['queued', 'queued']])(
    'says of stages that a query which is %s never began that they are %s',
    async ([status = '', fate], { api, call }) => {
      const error = { code: 'command_failed', detail: 'No.', stage: 0 }
      const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2', stagesTotal: 2, status })
      await keepStage(api.house, queryId, 0, { status: 'failed', error })
      expect((await call(id, { params: { id: queryId } })).items).toMatchObject([{ status: 'failed', error }, { stage: 1, command: 'limit', status: fate }])
    },
  )

  test('says which stage a query failed in also where it failed before any stage was stored', async ({ api, call }) => {
    const error = { code: 'command_failed', detail: 'No.', stage: 1 }
    const finishedAt = new Date('2031-01-01T00:00:00.000Z')
    const queryId = await keepQuery(api.house, { query: 'range 3 || json n || count', stagesTotal: 3, status: 'failed', error, finishedAt })
    const { items } = await call(id, { params: { id: queryId } })
    expect(items).toMatchObject([{ status: 'cancelled' }, { status: 'failed', error, commands: { total: 1 }, finishedAt: finishedAt.toISOString() }, { status: 'skipped', finishedAt: null }])
    expect(items.map((stage) => 'error' in stage)).toEqual([false, true, false])
  })

  test('says that the stage runs which a running query has come to, also before it is stored', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || sort n || count', stagesTotal: 3, stagesCompleted: 1, status: 'running' })
    await keepStage(api.house, queryId, 0)
    expect((await call(id, { params: { id: queryId } })).items).toMatchObject([
      { status: 'completed' }, { status: 'running', startedAt: expect.any(String) as string, finishedAt: null }, { status: 'queued', startedAt: null },
    ])
  })

  test.for(['running', 'failed', 'cancelled', 'expired'])('counts the rows that can be read of a stage that is %s', async (status, { api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2', stagesTotal: 2, status })
    const [some, none] = [await keepRows(api.house, queryId, countedRows(1_234), { complete: false }), await keepRows(api.house, queryId, [], { complete: false })]
    const stage = status === 'expired' ? 'cancelled' : status
    await keepStage(api.house, queryId, 0, { status: stage, rowSet: some })
    await keepStage(api.house, queryId, 1, { status: stage, rowSet: none, rowsOut: 5 })
    const { items } = await call(id, { params: { id: queryId } })
    for (const { stage: number, rowsOut } of items) expect((await call('sirp.stage.results', { params: { id: queryId, stage: String(number) } })).total).toBe(rowsOut)
    expect(items.map(({ rowsOut }) => rowsOut)).toEqual([1_234, 0])
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
