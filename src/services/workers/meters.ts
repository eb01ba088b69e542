import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { House } from '../house.ts'
import { perHouse } from '../perHouse.ts'

/** How long the metrics of a process are believed after it was last heard. */
const keptMs = 15_000

const requestBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60]
const jobBuckets = [0.01, 0.05, 0.2, 1, 5, 20, 60, 300]
const waitBuckets = [0.1, 0.5, 1, 5, 10, 30, 60]

/** What one process counts. */
export class Meters {
  readonly registry = new Registry()
  readonly requests: Counter<'operation' | 'status'>
  readonly requestSeconds: Histogram<'operation'>
  readonly jobs: Counter<'job' | 'outcome'>
  readonly jobSeconds: Histogram<'job'>
  readonly governorWaits: Histogram
  readonly cacheLooks: Counter<'kind' | 'outcome'>
  /** Requests that are being answered. */
  underWay = 0
  #processId = ''

  constructor({ pool }: Pick<House, 'pool'>) {
    const registers = [this.registry]
    this.requests = new Counter({ name: 'quern_requests_total', help: 'Requests answered.', labelNames: ['operation', 'status'], registers })
    this.requestSeconds = new Histogram({ name: 'quern_request_seconds', help: 'Time to answer a request.', labelNames: ['operation'], buckets: requestBuckets, registers })
    this.jobs = new Counter({ name: 'quern_jobs_total', help: 'Jobs that left a worker: done, failed, or put back.', labelNames: ['job', 'outcome'], registers })
    this.jobSeconds = new Histogram({ name: 'quern_job_seconds', help: 'Time that a worker held a job.', labelNames: ['job'], buckets: jobBuckets, registers })
    this.governorWaits = new Histogram({ name: 'quern_governor_wait_seconds', help: 'Waits that domain policies asked for.', buckets: waitBuckets, registers })
    this.cacheLooks = new Counter({ name: 'quern_cache_looks_total', help: 'Looks for kept rows: hit or miss.', labelNames: ['kind', 'outcome'], registers })
    this.#watch(pool)
  }

  /** What is asked for when somebody looks, and counted by nobody. */
  #watch(pool: House['pool']): void {
    const connections = { open: () => pool.totalCount, idle: () => pool.idleCount, wanted: () => pool.waitingCount }
    const memory = { name: 'quern_process_memory_bytes', help: 'Memory of the process.', collect: (gauge: Gauge) => gauge.set(process.memoryUsage.rss()) }
    const database = {
      name: 'quern_database_connections',
      help: 'Database connections of the process, and requests that wait for one.',
      labelNames: ['state'],
      collect: (gauge: Gauge) => Object.entries(connections).forEach(([state, count]) => gauge.set({ state }, count())),
    }
    for (const { collect, ...named } of [memory, database]) {
      this.registry.registerMetric(new Gauge({ ...named, registers: [], collect() { collect(this) } }))
    }
  }

  /** The process whose meters these are. */
  get processId(): string {
    return this.#processId
  }

  /** Names the process on every series. */
  belongTo(processId: string, type: string): void {
    this.#processId = processId
    this.registry.setDefaultLabels({ process: processId, type })
  }
}

/** The meters of this process. */
export const metersOf = perHouse((house) => new Meters(house))

const keyOf = ({ env }: Pick<House, 'env'>, id: string): string => `${env.redisPrefix}:metrics:${id}`

/** Lets every API process answer for this one. */
export async function publishMetrics(house: House, id: string): Promise<void> {
  const metrics = await metersOf(house).registry.getMetricsAsJSON()
  await house.redis.set(keyOf(house, id), JSON.stringify(metrics), 'PX', keptMs)
}

/** Takes back what a process has published. */
export async function dropMetrics(house: House, id: string): Promise<void> {
  await house.redis.del(keyOf(house, id))
}

/** What the processes with these ids have published, as text, in their order; null where nothing is there. */
export async function publishedMetrics(house: House, ids: readonly string[]): Promise<(string | null)[]> {
  return ids.length === 0 ? [] : house.redis.mget(ids.map((id) => keyOf(house, id)))
}
