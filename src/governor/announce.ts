import type { Redis } from '../platform/redis.ts'
import { policiesChannel } from './keys.ts'

/** Tells every process that a policy has changed; one that does not hear it finds out within a second. */
export function announcePolicies(redis: Redis, prefix: string): void {
  if (redis.status === 'ready') redis.publish(policiesChannel(prefix), '').catch(() => undefined)
}
