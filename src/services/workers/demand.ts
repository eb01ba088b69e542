import type { QueueName } from '../../contract/queues.ts'
import type { Demand } from '../../contract/workers/workers.ts'
import { countQueues, type QueueView } from '../jobs/queueCounts.ts'
import type { House } from '../house.ts'
import { liveProcesses, type ProcessFacts } from './processes.ts'

/** How much work of each type waits, in seconds of one worker process. */
export async function readDemand(house: House): Promise<Demand[]> {
  const [counted, processes] = await Promise.all([countQueues(house), liveProcesses(house)])
  return counted.map((queue) => demandOf(house, queue, processes.filter(({ type }) => type === queue.queue)))
}

function demandOf(house: House, { queue, waiting, active, oldestWaitMs }: QueueView, processes: readonly ProcessFacts[]): Demand {
  const concurrency = processes.reduce((sum, process) => sum + process.concurrency, 0)
  const each = processes.length === 0 ? usualConcurrency(house, queue as QueueName) : concurrency / processes.length // countQueues walks the table
  const known = processes.flatMap(({ jobMs }) => jobMs ?? [])
  const jobSeconds = known.length === 0 ? 1 : known.reduce((sum, ms) => sum + ms, 0) / known.length / 1000
  return { type: queue, processes: processes.length, concurrency, waiting, active, oldestWaitMs, jobSeconds: rounded(jobSeconds), workerSeconds: rounded((waiting * jobSeconds) / each) }
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** What a process would take at once, where none lives to say so. */
function usualConcurrency({ env }: House, queue: QueueName): number {
  return { query: env.queryConcurrency, browser: env.browserConcurrency, export: env.exportConcurrency, almanac: 1 }[queue]
}
