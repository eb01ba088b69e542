import { describe, expect } from 'vitest'
import { createClient, send } from '../../src/client/index.ts'
import { startApi, test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.query.list'

const at = (minute: number): Date => new Date(Date.UTC(2031, 0, 1, 12, minute))

describe(id, () => {
  test('answers an empty list, then whole records, newest first, page by page', async () => {
    const api = await startApi()
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    expect(await call(id)).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const ids: string[] = []
    for (const minute of [2, 1, 3]) ids[minute] = await keepQuery(api.house, { createdAt: at(minute) })
    const items = await Promise.all([3, 2, 1].map((minute) => call('sirp.query.read', { params: { id: ids[minute] ?? '' } })))
    const ask = (query: Readonly<Record<string, string | number>>) => send({ baseUrl: api.url, apiKey: api.adminKey }, id, { query })
    await expectPaging(ask, items)
    await expectPageBounds(ask)
    await api.close()
  })

  test('shows queries of one state, of a text as it is, and of a time', async ({ api, call }) => {
    const { house } = api
    await keepQuery(house, { query: 'range 3 || addcolumn a "100%"', status: 'failed', createdAt: at(1) })
    await keepQuery(house, { query: 'RANGE 4 || addcolumn a_b 1', status: 'completed', createdAt: at(2) })
    await keepQuery(house, { query: 'seed [1]', status: 'completed', createdAt: at(3) })
    const found = async (query: Readonly<Record<string, string | number>>) => (await call(id, { query })).items.map((item) => item.query.slice(0, 7))
    expect(await found({ status: 'completed' })).toEqual(['seed [1', 'RANGE 4'])
    expect(await found({ status: 'running' })).toEqual([])
    expect(await found({ text: 'range' })).toEqual(['RANGE 4', 'range 3'])
    expect(await found({ text: '%' })).toEqual(['range 3'])
    expect(await found({ text: '_' })).toEqual(['RANGE 4'])
    expect(await found({ text: '\\' })).toEqual([])
    expect(await found({ from: at(2).toISOString() })).toEqual(['seed [1', 'RANGE 4'])
    expect(await found({ from: at(1).toISOString(), to: at(3).toISOString() })).toEqual(['RANGE 4', 'range 3'])
    expect(await found({ to: '2031-01-01T13:02:00+01:00' })).toEqual(['range 3'])
    expect(await found({ text: 'RANGE', status: 'failed', from: at(0).toISOString() })).toEqual(['range 3'])
    expect((await call(id, { query: { text: 'range', limit: 1 } })).total).toBe(2)
  })

  test.for([{ status: 'done' }, { status: '' }, { text: '' }, { text: 'x'.repeat(1001) }, { from: 'yesterday' }, { to: '2031-13-01T00:00:00Z' }, { to: '2031-06-30T23:59:60Z' }, { from: '0000-12-31T23:59:59Z' }, { to: '0001-01-01T00:00:00+01:00' }, { from: '' }])(
    'refuses the query %j and names the parameter',
    async (query, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { query })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: `/${Object.keys(query)[0]}`, in: 'query' }] })
    },
  )
})
