import { serviceNames, type ServiceName } from '../../contract/services.ts'
import { redact } from '../../platform/logger.ts'
import type { House } from '../house.ts'

/** The last surprise of a service. */
export interface LastError {
  readonly code: string
  readonly detail: string
  readonly at: string
}

const longestDetail = 500

const keyOf = ({ env }: Pick<House, 'env'>): string => `${env.redisPrefix}:lastErrors`

/** Remembers the last surprise of a service, also beyond the end of its process. */
export function noteError(house: House, service: ServiceName, code: string, detail: string): void {
  if (house.redis.status !== 'ready') return
  const error: LastError = { code, detail: redact(detail).slice(0, longestDetail), at: new Date(house.clock()).toISOString() }
  house.redis.hset(keyOf(house), service, JSON.stringify(error)).catch(() => undefined) // the log has it too
}

/** The last surprise of each service that has had one. */
export async function lastErrors(house: House): Promise<Map<ServiceName, LastError>> {
  const texts = await house.redis.hmget(keyOf(house), ...serviceNames)
  const errors = serviceNames.map((service, at) => [service, texts[at] ?? null] as const)
  return new Map(errors.flatMap(([service, text]) => (text === null ? [] : [[service, JSON.parse(text) as LastError]]))) // written by noteError
}
