import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { keepQuery, keepStage } from '../support/keptQueries.ts'

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

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
