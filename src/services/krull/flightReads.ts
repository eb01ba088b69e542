import { Readable } from 'node:stream'
import type { Flight } from '../../contract/krull/flight.ts'
import { Problem } from '../../platform/errors.ts'
import { Download, type HandlersOf, type Request } from '../handler.ts'
import type { House } from '../house.ts'
import { findStage } from '../sirp/stageRecords.ts'
import { readJobFlight, readRunFlight, type KeptFlight } from './flights.ts'
import { findBrowserJob } from './jobRecords.ts'
import { jobFlightLink, runFlightLink } from './links.ts'

type Ids = `${'jobs' | 'sirp'}.flight.${'read' | 'image'}`

interface Found {
  readonly flight: KeptFlight
  /** Where it is read. */
  readonly link: string
}

/** What the pages of failed browser work did last. */
export function flightHandlers(house: House): HandlersOf<Ids> {
  return {
    'jobs.flight.read': async (request) => present(await ofJob(house, request)),
    'jobs.flight.image': async (request) => imageOf(await ofJob(house, request)),
    'sirp.flight.read': async (request) => present(await ofRun(house, request)),
    'sirp.flight.image': async (request) => imageOf(await ofRun(house, request)),
  }
}

async function ofJob(house: House, request: Request<'jobs.flight.read' | 'jobs.flight.image'>): Promise<Found> {
  const { id } = await findBrowserJob(house, request)
  return { flight: orNone(await readJobFlight(house, id), 'job'), link: jobFlightLink(id) }
}

async function ofRun(house: House, { params }: Request<'sirp.flight.read' | 'sirp.flight.image'>): Promise<Found> {
  const { record: { stage } } = await findStage(house, params.id, params.stage)
  const index = Number(params.index)
  return { flight: orNone(await readRunFlight(house, params.id, stage, index), 'command'), link: runFlightLink(params.id, stage, index) }
}

function present({ flight: { har, thumbnail }, link }: Found): Flight {
  return thumbnail === null ? har : { log: { ...har.log, _thumbnail: `${link}.png` } }
}

function imageOf({ flight: { thumbnail } }: Found): Download {
  if (!thumbnail) throw new Problem('not_found', 'No picture could be taken of the page when the work failed.')
  return new Download(Readable.from([thumbnail]), 'image/png', { bytes: thumbnail.length, filename: 'flight.png', inline: true })
}

function orNone(flight: KeptFlight | null, noun: string): KeptFlight {
  if (!flight) throw new Problem('not_found', `No flight is kept of this ${noun}: it did not fail, or failed before a page was opened.`)
  return flight
}
