import type { Worker } from '../../contract/workers/workers.ts'
import { fromRedis } from '../fromRedis.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'
import { readDemand } from './demand.ts'
import { liveProcesses, type ProcessFacts } from './processes.ts'

/** The live processes of the cluster, and the work that waits for them. */
export function workerHandlers(house: House): HandlersOf<'workers.worker.list' | 'workers.demand.list'> {
  return {
    'workers.worker.list': async ({ query }) => pageOf(query, (await fromRedis(house, () => liveProcesses(house))).map(present)),
    'workers.demand.list': async ({ query }) => pageOf(query, await fromRedis(house, () => readDemand(house))),
  }
}

function present({ id, type, host, pid, version, startedAt, heartbeatAt, concurrency, running }: ProcessFacts): Worker {
  return { id, service: type, host, pid, version, startedAt, heartbeatAt, concurrency, load: concurrency === 0 ? 0 : running / concurrency }
}
