import { EgressGuard } from '../../src/platform/egress/guard.ts'
import { openTransport } from '../../src/platform/egress/transport.ts'
import type { Shutdown } from '../../src/platform/shutdown.ts'
import type { ProcessorsOf } from '../../src/queues/processor.ts'
import { keepHouse } from '../../src/services/almanac/housekeeping.ts'
import type { House } from '../../src/services/house.ts'
import { startKeeper } from '../lib/keeper.ts'
import { startFollowing } from './following.ts'
import { remoteProcessor } from './remote.ts'
import { startTicking } from './ticking.ts'

/** The answer of another instance is a short record. */
const maxAnswerBytes = 1_048_576

/** Opens what an almanac process needs, and answers its processors. */
export async function openAlmanac(house: House, shutdown: Shutdown): Promise<ProcessorsOf<'almanac'>> {
  const transport = openTransport(new EgressGuard(house.env.egressAllow), { maxBytes: maxAnswerBytes })
  shutdown.onShutdown('outgoing connections', () => transport.close())
  shutdown.onShutdown('keeper', startKeeper(house))
  shutdown.onShutdown('schedules', startTicking(house))
  shutdown.onShutdown('queries of other instances', startFollowing(house, transport))
  return Promise.resolve({ 'almanac.housekeeping': () => keepHouse(house), 'almanac.remote': remoteProcessor(house, transport) })
}
