import { join } from 'node:path'
import { EgressGuard } from '../../src/platform/egress/guard.ts'
import { openTransport } from '../../src/platform/egress/transport.ts'
import type { Shutdown } from '../../src/platform/shutdown.ts'
import type { ProcessorsOf } from '../../src/queues/processor.ts'
import type { House } from '../../src/services/house.ts'
import { startKeeper } from '../lib/keeper.ts'
import { Gate } from './gate.ts'
import { Leases } from './leases.ts'
import { orderProcessor } from './order.ts'
import { Parking } from './parking.ts'
import { queryProcessor, unitProcessor } from './processors.ts'
import { openScratch } from './scratch.ts'

/** Opens what the jobs of a query process need, and answers its processors. */
export async function openQueryProcessors(house: House, shutdown: Shutdown): Promise<ProcessorsOf<'query'>> {
  const { env } = house
  const transport = openTransport(new EgressGuard(env.egressAllow), { maxBytes: env.fetchMaxBytes })
  shutdown.onShutdown('outgoing connections', () => transport.close())
  const leases = new Leases(house)
  shutdown.onShutdown('leases', () => leases.close())
  const parking = new Parking()
  shutdown.onShutdown('parked work', () => parking.close())
  shutdown.onShutdown('keeper', startKeeper(house))
  const open = () => openScratch(join(env.dataDir, 'scratch'), env.stageMemory)
  const engine = { house, leases, parking, transport, openScratch: open, fetches: new Gate(env.fetchConcurrency) }
  return { 'query.run': queryProcessor(engine), 'query.expand': unitProcessor(engine), 'query.order': orderProcessor(house, open) }
}
