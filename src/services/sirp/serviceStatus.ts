import { hosting, serviceNames, type ServiceName } from '../../contract/services.ts'
import type { ServiceStatus } from '../../contract/sirp/services.ts'
import type { House } from '../house.ts'
import { countQueues, type QueueView } from '../jobs/queueCounts.ts'
import { lastErrors, type LastError } from '../workers/lastErrors.ts'
import { liveProcesses, type ProcessFacts } from '../workers/processes.ts'

/** A line whose head has waited for so long moves too slowly. */
const longWaitMs = 60_000

/** How each service does, in the order of their names' table. */
export async function serviceStatuses(house: House): Promise<ServiceStatus[]> {
  const [processes, counted, errors] = await Promise.all([liveProcesses(house), countQueues(house), lastErrors(house)])
  return serviceNames.map((service) => statusOf(service, processes, counted, errors.get(service)))
}

/** How one service does. */
export async function serviceStatus(house: House, service: ServiceName): Promise<ServiceStatus> {
  const statuses = await serviceStatuses(house)
  return statuses[serviceNames.indexOf(service)] as ServiceStatus // there is one for every name
}

function statusOf(service: ServiceName, living: readonly ProcessFacts[], counted: readonly QueueView[], lastError: LastError | undefined): ServiceStatus {
  const { hosts, queues: names } = hosting[service]
  const processes = living.filter(({ type }) => hosts.includes(type))
  const queues = counted.filter(({ queue }) => names.some((name) => name === queue))
  return { service, status: healthOf(service, processes, queues), processes: processes.map(present), queues, ...(lastError ? { lastError } : {}) }
}

/** Down where nothing that it needs lives; degraded where a part is missing or busy restarting, or its work does not move. */
function healthOf(service: ServiceName, processes: readonly ProcessFacts[], queues: readonly QueueView[]): ServiceStatus['status'] {
  const { needs } = hosting[service]
  const living = needs.filter((type) => processes.some((process) => process.type === type))
  if (living.length === 0) return 'down'
  const serving = living.filter((type) => processes.some((process) => process.type === type && !process.restarting))
  const stands = queues.some(({ paused, oldestWaitMs }) => paused || oldestWaitMs > longWaitMs)
  return serving.length === needs.length && !stands ? 'up' : 'degraded'
}

function present({ id, host, pid, version, startedAt, heartbeatAt }: ProcessFacts): ServiceStatus['processes'][number] {
  return { id, host, pid, version, startedAt, heartbeatAt }
}
