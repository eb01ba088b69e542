import type { Redis } from '../platform/redis.ts'
import { coolingChannel, policiesChannel } from './keys.ts'

interface Ears {
  /** A policy has changed. */
  readonly onPolicies: () => void
  /** A domain cools down. */
  readonly onCooling: (domain: string, ms: number) => void
  /** Time to look, whether or not a message came. */
  readonly onTick: () => void
}

const tickMs = 500

/** Hears of changes at once, and has a look twice a second for what was not heard; answers how to stop. */
export function watch(redis: Redis, prefix: string, { onPolicies, onCooling, onTick }: Ears): () => void {
  const patient = { enableOfflineQueue: true, maxRetriesPerRequest: null, commandTimeout: undefined, socketTimeout: undefined }
  const subscriber = redis.duplicate(patient)
  subscriber.on('error', () => undefined) // the client it was made from tells of a Redis that is away
  subscriber.on('message', (channel: string, text: string) => {
    if (channel === policiesChannel(prefix)) return onPolicies()
    const [ms = '', domain = ''] = text.split(' ', 2)
    onCooling(domain, Number(ms))
  })
  subscriber.subscribe(policiesChannel(prefix), coolingChannel(prefix)).catch(() => undefined)
  const timer = setInterval(onTick, tickMs).unref()
  return () => {
    clearInterval(timer)
    subscriber.disconnect()
  }
}
