import { describe, expect, onTestFinished } from 'vitest'
import { openWorkerRedis } from '../../../src/platform/redis.ts'
import { readEnv } from '../../../src/platform/env.ts'
import { openLogger } from '../../../src/platform/logger.ts'
import { Shutdown } from '../../../src/platform/shutdown.ts'
import { openHouse } from '../../../src/services/openHouse.ts'
import { openAlmanac } from '../../../workers/almanac/open.ts'
import { serveQueue } from '../../../workers/lib/runWorker.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { createSchedule } from '../../support/schedules.ts'
import { openTarget } from '../../support/target.ts'

const startAlmanac = async ({ settings }: RunningApi): Promise<string[]> => {
  const env = readEnv({ ...settings, EGRESS_ALLOW: '127.0.0.0/8' })
  const lines: string[] = []
  const log = openLogger('info', 'almanac', { write: (line) => void lines.push(line) })
  const shutdown = new Shutdown(log)
  await serveQueue('almanac', openHouse(env, log, shutdown, openWorkerRedis), shutdown, 2, openAlmanac)
  onTestFinished(() => shutdown.run())
  return lines
}

describe('an almanac process', () => {
  test('runs what is due by itself, here and on another instance, and logs no trouble', { timeout: 60_000 }, async ({ api, call }) => {
    const target = await openTarget(() => ({ status: 202, body: { id: '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52' } }))
    onTestFinished(() => target[Symbol.asyncDispose]())
    const name = new URL(target.url).host
    await call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name }, credentials: { custom: { value: 'their-key' } } } } })
    const lines = await startAlmanac(api)
    const { id: here } = await createSchedule(api, { minutes: 0 })
    const { id: there } = await createSchedule(api, { minutes: 0, sirpURL: target.url })
    const lastStatus = async (id: string) => (await call('sirp.schedule.read', { params: { id } })).lastStatus
    await expect.poll(() => lastStatus(here), { timeout: 20_000 }).toBe('queued')
    await expect.poll(() => lastStatus(there), { timeout: 20_000 }).toBe('dispatched')
    expect(target.hits).toHaveLength(1)
    expect(lines.filter((line) => /"level":(40|50|"warn"|"error")/.test(line))).toEqual([])
  })
})
