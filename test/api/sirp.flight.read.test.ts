import { describe, expect } from 'vitest'
import { sealFlight } from '../../src/services/krull/flights.ts'
import { test, unknownId } from '../support/api.ts'
import { flightWith } from '../support/flights.ts'
import { keepCommand, keepQuery, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.flight.read'

describe(id, () => {
  test('answers an HTTP archive by the number and by the label of the stage, and the record of the command names it', async ({ api: { house }, call }) => {
    const query = await keepQuery(house, { status: 'failed' })
    await keepStage(house, query, 0, { command: 'open', kind: 'expand', status: 'failed', label: 'pages' })
    await keepCommand(house, query, 0, 4, { command: 'open', status: 'failed', flight: true })
    await keepCommand(house, query, 0, 5, { command: 'open' })
    for (const index of [4, 5]) await house.db.flight.create({ data: { queryId: query, stage: 0, index, ...sealFlight(house.box, flightWith(Buffer.from('png'))) } })
    const link = `/v1/sirp/query/${query}/stages/0/commands/4/flight`
    for (const stage of ['0', 'pages']) {
      expect(await call(id, { params: { id: query, stage, index: '4' } })).toMatchObject({ log: { _console: [{ text: 'last words' }], _thumbnail: `${link}.png` } })
    }
    const { items } = await call('sirp.command.list', { params: { id: query } })
    expect(items.map(({ index, flight }) => [index, flight])).toEqual([[4, link], [5, undefined]])
    await expect(call(id, { params: { id: query, stage: '0', index: '5' } })).rejects.toMatchObject({ status: 404 })
  })

  test('answers not_found for no query, stage or command, and a 400 for what is no number', async ({ api: { house }, call }) => {
    const query = await keepQuery(house, { status: 'failed' })
    await keepStage(house, query, 0)
    for (const params of [{ id: unknownId, stage: '0', index: '0' }, { id: query, stage: '7', index: '0' }, { id: query, stage: '0', index: '0' }]) {
      await expect(call(id, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
    await expect(call(id, { params: { id: query, stage: '0', index: 'first' } })).rejects.toMatchObject({ status: 400, code: 'validation_failed' })
  })
})
