import { describe, expect } from 'vitest'
import { sealFlight } from '../../src/services/krull/flights.ts'
import { test } from '../support/api.ts'
import { flightWith } from '../support/flights.ts'
import { keepCommand, keepQuery, keepStage } from '../support/keptQueries.ts'
import { expectProblem } from '../support/problems.ts'

const id = 'sirp.flight.image'

describe(id, () => {
  test('answers the picture as it was taken, or not_found where none could be', async ({ api, sendAs }) => {
    const { house } = api
    const query = await keepQuery(house, { status: 'failed' })
    await keepStage(house, query, 0, { command: 'open', kind: 'expand', status: 'failed' })
    const picture = Buffer.from([137, 80, 78, 71, 0, 255])
    for (const [index, thumbnail] of [picture, null].entries()) {
      await keepCommand(house, query, 0, index, { command: 'open', status: 'failed', flight: true })
      await house.db.flight.create({ data: { queryId: query, stage: 0, index, ...sealFlight(house.box, flightWith(thumbnail)) } })
    }
    const response = await sendAs(api.adminKey, id, { params: { id: query, stage: '0', index: '0' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture)
    await expectProblem(await sendAs(api.adminKey, id, { params: { id: query, stage: '0', index: '1' } }), 'not_found')
  })
})
