import { Gauge, Registry } from 'prom-client'
import { processTypes } from '../../contract/services.ts'
import { countQueues } from '../jobs/queueCounts.ts'
import type { House } from '../house.ts'
import { nothingUnderWay } from '../sirp/engine/claims.ts'
import { readDemand } from './demand.ts'
import { liveProcesses } from './processes.ts'

/** Work that nobody has looked after for so long is stuck: the keeper sees to each query every few seconds. */
const stuckAfterS = 60

/** What is counted across all processes at the moment, as text; a server that is away shows as such, and what it knows is left out. */
export async function clusterMetrics(house: House): Promise<string> {
  const registry = new Registry()
  const database = await reached(() => countQueries(house, registry))
  const redis = house.redis.status === 'ready' && (await reached(() => countCluster(house, registry)))
  gauge(registry, 'quern_database_up', 'Whether the database answers.').set(Number(database))
  gauge(registry, 'quern_redis_up', 'Whether Redis answers.').set(Number(redis))
  return registry.metrics()
}

async function reached(work: () => Promise<void>): Promise<boolean> {
  return work().then(() => true, () => false)
}

function gauge<Label extends string>(registry: Registry, name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers: [registry] })
}

async function countQueries({ pool }: House, registry: Registry): Promise<void> {
  const { rows } = await pool.query<{ queued: string; running: string; stuck: string }>({ name: 'queries-metrics', text: countSql, values: [stuckAfterS] })
  const { queued = 0, running = 0, stuck = 0 } = rows[0] ?? {}
  const queries = gauge(registry, 'quern_queries', 'Queries that have not ended.', 'status')
  queries.set({ status: 'queued' }, Number(queued))
  queries.set({ status: 'running' }, Number(running))
  gauge(registry, 'quern_queries_stuck', 'Queries that should go on and that nobody looks after; anything but 0 is a fault.').set(Number(stuck))
}

const countSql = `
  SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
    count(*) FILTER (WHERE enqueued_at < now() - $1 * interval '1 second' AND (lease_until IS NULL OR lease_until < now() - $1 * interval '1 second') AND ${nothingUnderWay}) AS stuck
  FROM queries WHERE status IN ('queued', 'running')`

async function countCluster(house: House, registry: Registry): Promise<void> {
  const [queues, processes, demands] = await Promise.all([countQueues(house), liveProcesses(house), readDemand(house)])
  const jobs = gauge(registry, 'quern_queue_jobs', 'Jobs by queue and state.', 'queue', 'state')
  const age = gauge(registry, 'quern_queue_oldest_wait_seconds', 'How long the job at the head of a queue has waited.', 'queue')
  for (const { queue, oldestWaitMs, waiting, active, delayed, failed } of queues) {
    for (const [state, count] of Object.entries({ waiting, active, delayed, failed })) jobs.set({ queue, state }, count)
    age.set({ queue }, oldestWaitMs / 1000)
  }
  const live = gauge(registry, 'quern_processes', 'Live processes by type.', 'type')
  const room = gauge(registry, 'quern_pool_slots', 'Jobs or requests that the processes of a type can take at once, and those that they hold.', 'type', 'state')
  for (const type of processTypes) {
    const mine = processes.filter((process) => process.type === type)
    live.set({ type }, mine.length)
    room.set({ type, state: 'all' }, mine.reduce((sum, { concurrency }) => sum + concurrency, 0))
    room.set({ type, state: 'taken' }, mine.reduce((sum, { running }) => sum + running, 0))
  }
  const demand = gauge(registry, 'quern_demand_worker_seconds', 'How long one process would need for what waits.', 'type')
  for (const { type, workerSeconds } of demands) demand.set({ type }, workerSeconds)
}
