import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { Flight, flightNote } from '../krull/flight.ts'
import { Closed } from '../schemas.ts'
import { ByStage } from './stages.ts'

const ByRun = Closed({
  ...ByStage.properties,
  index: Type.String({
    pattern: '^[0-9]{1,9}$',
    description: 'Place of the command in its stage, from 0.',
    explain: 'must be a number of at most nine digits',
  }),
})

const few = 'The first 20 failed runs of a stage keep theirs.'

/** The operations that show what the page of a failed browser command did last. */
export const commandFlights = defineOperations({
  'sirp.flight.read': {
    method: 'GET',
    path: '/v1/sirp/query/:id/stages/:stage/commands/:index/flight',
    summary: 'Retrieve the flight of a failed browser command',
    description: `The last requests and console lines of its page, and why it failed, as an HTTP archive. ${few} ${flightNote}`,
    scope: 'queries:read',
    origin: 'beyond',
    params: ByRun,
    reply: { status: 200, body: Flight },
  },
  'sirp.flight.image': {
    method: 'GET',
    path: '/v1/sirp/query/:id/stages/:stage/commands/:index/flight.png',
    summary: 'Retrieve the thumbnail of a failed browser command',
    description: `Its page at the moment of the failure, at most 640 pixels wide. ${few} ${flightNote}`,
    scope: 'queries:read',
    origin: 'beyond',
    params: ByRun,
    reply: { status: 200, stream: ['image/png'] },
  },
})
