import { hostname } from 'node:os'
import { randomText } from '../../src/platform/ids.ts'
import { version } from '../../src/platform/version.ts'
import type { House } from '../../src/services/house.ts'
import { beat, beatEveryMs, endBeat, type BrowserHeartbeat } from '../../src/services/krull/heartbeats.ts'
import type { Admission } from './admission.ts'
import type { Pool } from './pool.ts'

/** Tells all others how the browsers of this process are; answers how to end that. */
export function startHeartbeat(house: House, pool: Pick<Pool, 'details'>, admission: Pick<Admission, 'admitted'>): () => Promise<void> {
  const id = `${hostname()}-${process.pid}-${randomText(4)}`
  const startedAt = new Date(house.clock()).toISOString()
  const tell = async (): Promise<void> => beat(house, { id, startedAt, ...admission.admitted, ...factsOf(pool) })
  const quietly = (): void => void tell().catch((err: unknown) => house.log.debug({ err }, 'a heartbeat was not heard'))
  const timer = setInterval(quietly, beatEveryMs).unref()
  quietly()
  return () => {
    clearInterval(timer)
    return endBeat(house, id)
  }
}

function factsOf(pool: Pick<Pool, 'details'>): Omit<BrowserHeartbeat, 'id' | 'startedAt' | 'room' | 'short'> {
  const { browsers, concurrency, active, waiting, done, failed, sandbox, lastErrors } = pool.details()
  const self = { host: hostname(), pid: process.pid, version, memoryBytes: process.memoryUsage.rss() }
  const load = { concurrency, active, waiting, done, failed }
  return { ...self, ...load, browser: browsers[0]?.version ?? null, sandboxed: sandbox, browsers: [...browsers], errors: [...lastErrors] }
}
