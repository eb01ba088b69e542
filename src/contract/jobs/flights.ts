import { defineOperations } from '../define.ts'
import { Flight, flightNote } from '../krull/flight.ts'
import { ByJob } from './jobs.ts'

/** The operations that show what the page of a failed browser job did last. */
export const jobFlights = defineOperations({
  'jobs.flight.read': {
    method: 'GET',
    path: '/v1/jobs/:queue/:id/flight',
    summary: 'Retrieve the flight of a failed browser job',
    description: `The last requests and console lines of its page, and why it failed, as an HTTP archive. ${flightNote}`,
    scope: 'ops:read',
    ownScope: 'browser:run',
    origin: 'beyond',
    params: ByJob,
    reply: { status: 200, body: Flight },
  },
  'jobs.flight.image': {
    method: 'GET',
    path: '/v1/jobs/:queue/:id/flight.png',
    summary: 'Retrieve the thumbnail of a failed browser job',
    description: `Its page at the moment of the failure, at most 640 pixels wide. ${flightNote}`,
    scope: 'ops:read',
    ownScope: 'browser:run',
    origin: 'beyond',
    params: ByJob,
    reply: { status: 200, stream: ['image/png'] },
  },
})
