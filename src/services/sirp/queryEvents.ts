import { Readable } from 'node:stream'
import type { QueryStatus } from '../../contract/sirp/queryRecord.ts'
import { Download, type HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { followQuery } from './queryFollow.ts'
import { Follower } from './queryFollower.ts'
import { isEnded } from './queryRecords.ts'
import { readStatus } from './queryStatus.ts'

/** How long a client waits before it connects again. */
const retryMs = 2_000

/** Queries as streams of events. */
export function queryEventHandlers(house: House): HandlersOf<'sirp.query.events'> {
  return {
    'sirp.query.events': async ({ params }) => new Download(openEvents(house, await readStatus(house, params.id)), 'text/event-stream'),
  }
}

function openEvents(house: House, status: QueryStatus): Readable {
  const stream = new Readable({ read: () => undefined })
  stream.push(`retry: ${retryMs}\n\n`)
  const follower = new Follower(stream, status.status)
  follower.sendStatus('status', JSON.stringify(status))
  if (isEnded(status.status)) follower.end(JSON.stringify(status))
  else stream.once('close', followQuery(house, status.id, follower))
  return stream
}
