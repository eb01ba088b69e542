import { Readable } from 'node:stream'
import { Problem } from '../platform/errors.ts'
import { Download, type HandlersOf } from '../services/handler.ts'
import type { House } from '../services/house.ts'
import { metricsText } from '../services/workers/metricsText.ts'
import { buildOpenApi } from './openapi.ts'

type Ids = `system.${'health' | 'readiness' | 'openapi' | 'metrics'}.read`

interface Check {
  readonly ok: boolean
  readonly ms: number
}

/** Whether the process is ending; set once, by its shutdown. */
export interface Life {
  ending: boolean
}

/** Liveness, readiness, metrics and the interface's own description. */
export function systemHandlers(house: House, life: Life): HandlersOf<Ids> {
  let openApi: Record<string, unknown> | undefined
  let asking: Promise<Record<'database' | 'redis', Check>> | undefined
  // Anybody may ask: however many do so at once, the servers behind are asked once.
  const checkAll = () => (asking ??= checkParts(house).finally(() => (asking = undefined)))
  return {
    'system.health.read': () => Promise.resolve({ status: 'ok' as const }),
    'system.readiness.read': async () => {
      const checks = await checkAll()
      const { database, redis } = checks
      if (life.ending) throw new Problem('unavailable', 'The process is shutting down.', { extra: { checks } })
      if (!database.ok || !redis.ok) {
        throw new Problem('unavailable', `Waiting for ${[database.ok ? '' : 'the database', redis.ok ? '' : 'Redis'].filter(Boolean).join(' and ')}.`, { extra: { checks } })
      }
      return { status: 'ready', checks }
    },
    'system.metrics.read': async () => {
      const text = await metricsText(house)
      return new Download(Readable.from([text]), 'text/plain; version=0.0.4; charset=utf-8', { bytes: Buffer.byteLength(text) })
    },
    'system.openapi.read': () => Promise.resolve((openApi ??= buildOpenApi(house.env.authScheme))),
  }
}

async function checkParts(house: House): Promise<Record<'database' | 'redis', Check>> {
  const [database, redis] = await Promise.all([
    check(() => house.pool.query('SELECT 1')).then((result) => (result.ok ? check(() => house.vault.pepper()) : result)),
    check(() => house.redis.ping()),
  ])
  return { database, redis }
}

async function check(probe: () => Promise<unknown>): Promise<Check> {
  const started = performance.now()
  const ok = await Promise.race([probe().then(() => true, () => false), new Promise<false>((give) => setTimeout(() => give(false), 2_000).unref())])
  return { ok, ms: Math.round(performance.now() - started) }
}
