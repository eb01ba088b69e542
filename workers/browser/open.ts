import { join } from 'node:path'
import { EgressGuard } from '../../src/platform/egress/guard.ts'
import { openTransport } from '../../src/platform/egress/transport.ts'
import type { Env } from '../../src/platform/env.ts'
import type { Shutdown } from '../../src/platform/shutdown.ts'
import type { ProcessorsOf } from '../../src/queues/processor.ts'
import type { House } from '../../src/services/house.ts'
import { startKeeper } from '../lib/keeper.ts'
import { Gate } from '../query/gate.ts'
import { Leases } from '../query/leases.ts'
import { Parking } from '../query/parking.ts'
import { unitProcessor } from '../query/processors.ts'
import { openScratch } from '../query/scratch.ts'
import { Admission, boundsOf } from './admission.ts'
import { openBrowsing } from './browsing.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openPool } from './pool.ts'
import type { PoolOptions } from './poolOptions.ts'
import { browserJobProcessor } from './runJob.ts'
import { chooseScratchRoots } from './scratchRoots.ts'

/** How long a job waits for a browser that does not start. */
const patienceMs = 15_000

/** Opens what the jobs of a browser process need, and answers its processors. */
export async function openBrowserProcessors(
  house: House,
  shutdown: Pick<Shutdown, 'onShutdown'>,
  limit: (jobs: number) => void,
): Promise<ProcessorsOf<'browser'>> {
  const { env, log } = house
  const roots = await chooseScratchRoots(env.dataDir, env.browserNoSandbox === 'yes', log)
  const guard = new EgressGuard(env.egressAllow)
  const transport = openTransport(guard, { maxBytes: env.fetchMaxBytes })
  shutdown.onShutdown('outgoing connections', () => transport.close())
  const pool = openPool({ ...poolSettings(env), ...roots, guard, log })
  shutdown.onShutdown('browsers', () => pool.close())
  const admission = await Admission.start(boundsOf(env), limit, log)
  shutdown.onShutdown('admission', () => Promise.resolve(admission.stop()))
  shutdown.onShutdown('browser heartbeat', startHeartbeat(house, pool, admission))
  const leases = new Leases(house)
  shutdown.onShutdown('leases', () => leases.close())
  const parking = new Parking()
  shutdown.onShutdown('parked work', () => parking.close())
  shutdown.onShutdown('keeper', startKeeper(house))
  const engine = {
    house,
    leases,
    parking,
    transport,
    openScratch: () => openScratch(join(env.dataDir, 'scratch'), env.stageMemory),
    fetches: new Gate(env.fetchConcurrency),
    openBrowsing: () => openBrowsing(house, pool),
  }
  return { 'browser.run': browserJobProcessor({ house, leases, pool }), 'browser.expand': unitProcessor(engine) }
}

function poolSettings(env: Env): Omit<PoolOptions, 'guard' | 'log'> {
  const { chromePath, browserConcurrency, browserNoSandbox, browserRecycleJobs, browserRecycleMinutes, browserRecycleMemory } = env
  return {
    chromePath,
    concurrency: browserConcurrency,
    noSandbox: browserNoSandbox === 'yes',
    patienceMs,
    recycle: { jobs: browserRecycleJobs, minutes: browserRecycleMinutes, ...(browserRecycleMemory === undefined ? {} : { memoryBytes: browserRecycleMemory }) },
  }
}
