import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import type { House } from '../house.ts'
import { clusterMetrics } from './clusterMetrics.ts'
import { metersOf, publishedMetrics } from './meters.ts'
import { liveProcesses } from './processes.ts'

type Series = MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of all processes in the text format of Prometheus. */
export async function metricsText(house: House): Promise<string> {
  const mine = metersOf(house)
  const [others, cluster, own] = await Promise.all([seriesOfOthers(house, mine.processId), clusterMetrics(house), mine.registry.getMetricsAsJSON()])
  // Every series names its process, so that nothing is added up.
  const counted = await AggregatorRegistry.aggregate([own, ...others]).metrics()
  return `${counted}\n${cluster}`
}

/** What the other processes published last; nothing while Redis is away. */
async function seriesOfOthers(house: House, ownId: string): Promise<Series[]> {
  if (house.redis.status !== 'ready') return []
  try {
    const ids = (await liveProcesses(house)).map(({ id }) => id).filter((id) => id !== ownId)
    const texts = await publishedMetrics(house, ids)
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Series])) // written by publishMetrics
  } catch {
    return []
  }
}
