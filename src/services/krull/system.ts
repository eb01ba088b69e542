import { devices } from '../../contract/krull/devices.ts'
import type { BrowserSystem } from '../../contract/krull/system.ts'
import { errorCatalogue, type ErrorCode } from '../../platform/errors.ts'
import { fromRedis } from '../fromRedis.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { countQueue } from '../jobs/queueCounts.ts'
import { pageOf } from '../paging.ts'
import { readBeats } from './heartbeats.ts'

const mostErrors = 20

/** The browser service itself: what it can emulate, and how it is. */
export function krullSystemHandlers(house: House): HandlersOf<'krull.device.list' | 'krull.system.read'> {
  return {
    'krull.device.list': ({ query }) => Promise.resolve(pageOf(query, devices)),
    'krull.system.read': () => fromRedis(house, () => readSystem(house)),
  }
}

async function readSystem(house: House): Promise<BrowserSystem> {
  const [beats, queue, failures] = await Promise.all([readBeats(house), countQueue(house, 'browser'), readFailures(house)])
  const workers = beats.map(({ errors: _errors, ...worker }) => worker)
  const status = workers.length === 0 ? 'down' : workers.some(({ browser }) => browser === null) ? 'degraded' : 'up'
  const ofPools = beats.flatMap(({ errors }) => errors)
  const recent = [...ofPools, ...failures.recent].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, mostErrors)
  const active = workers.reduce((sum, worker) => sum + worker.active, 0)
  return { status, active, workers, queue, errors: { total: failures.total + ofPools.length, recent } }
}

interface Failed {
  readonly at: Date
  readonly code: ErrorCode
  readonly total: number
}

/** Jobs that failed within the last hour; what a page or an expression said stays with the job. */
async function readFailures({ pool }: House): Promise<BrowserSystem['errors']> {
  const { rows } = await pool.query<Failed>({
    name: 'browser-jobs-failed',
    text: `SELECT finished_at AS at, error_code AS code, count(*) OVER ()::integer AS total FROM browser_jobs WHERE status = 'failed' ORDER BY finished_at DESC LIMIT $1`,
    values: [mostErrors],
  })
  return { total: rows[0]?.total ?? 0, recent: rows.map(({ at, code }) => ({ at: at.toISOString(), code, detail: errorCatalogue[code]?.title ?? code })) }
}
