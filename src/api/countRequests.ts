import type { Context, Next } from 'koa'
import { serviceNames, type ServiceName } from '../contract/services.ts'
import type { Problem } from '../platform/errors.ts'
import type { House } from '../services/house.ts'
import { noteError } from '../services/workers/lastErrors.ts'
import { metersOf } from '../services/workers/meters.ts'

/** Counts and times every request, and remembers the last surprise of each service. */
export function countRequests(house: House) {
  const meters = metersOf(house)
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now()
    meters.underWay += 1
    try {
      await next()
    } finally {
      meters.underWay -= 1
    }
    const operation = String(ctx.state['operation'] ?? 'none')
    meters.requests.inc({ operation, status: ctx.status })
    meters.requestSeconds.observe({ operation }, (performance.now() - started) / 1000)
    const problem = ctx.state['problem'] as Problem | undefined
    if (problem?.code === 'internal') noteError(house, serviceOf(operation), 'internal', `${operation} failed unexpectedly; the log has more under the request id ${String(ctx.state['requestId'])}.`)
  }
}

/** The service that an operation belongs to; the few without one are the query processor's. */
function serviceOf(operation: string): ServiceName {
  return serviceNames.find((name) => operation.startsWith(`${name}.`)) ?? 'sirp'
}
