import { describe, expect, onTestFinished } from 'vitest'
import { pickLoopbackPort } from '../../../ops/up/freePort.ts'
import { openWorkerRedis } from '../../../src/platform/redis.ts'
import { readEnv } from '../../../src/platform/env.ts'
import { openLogger } from '../../../src/platform/logger.ts'
import { Shutdown } from '../../../src/platform/shutdown.ts'
import { openHouse } from '../../../src/services/openHouse.ts'
import { openAlmanac } from '../../../workers/almanac/open.ts'
import { serveQueue } from '../../../workers/lib/runWorker.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { createSchedule, runsOf } from '../../support/schedules.ts'
import { openTarget } from '../../support/target.ts'

const prepareAlmanac = ({ settings }: RunningApi, given: Readonly<Record<string, string>> = {}) => {
  const env = readEnv({ ...settings, EGRESS_ALLOW: '127.0.0.0/8', ...given })
  const lines: string[] = []
  const log = openLogger('info', 'almanac', { write: (line) => void lines.push(line) })
  const shutdown = new Shutdown(log)
  onTestFinished(() => shutdown.run())
  const serve = (): Promise<void> => serveQueue('almanac', openHouse(env, log, shutdown, openWorkerRedis), shutdown, 2, openAlmanac)
  return { lines, serve, shutdown }
}

describe('an almanac process', () => {
  test('runs what is due by itself, here and on another instance, and logs no trouble', { timeout: 60_000 }, async ({ api, call }) => {
    const remoteId = '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52'
    const target = await openTarget(({ method }) => (method === 'POST' ? { status: 202, body: { id: remoteId } } : { body: { status: 'completed' } }))
    onTestFinished(() => target[Symbol.asyncDispose]())
    const name = new URL(target.url).host
    await call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name }, credentials: { custom: { value: 'their-key' } } } } })
    const { lines, serve } = prepareAlmanac(api)
    await serve()
    const { id: here } = await createSchedule(api, { minutes: 0 })
    const { id: there } = await createSchedule(api, { minutes: 0, sirpURL: target.url })
    const lastStatus = async (id: string) => (await call('sirp.schedule.read', { params: { id } })).lastStatus
    await expect.poll(() => lastStatus(here), { timeout: 20_000 }).toBe('queued')
    await expect.poll(() => lastStatus(there), { timeout: 20_000 }).toBe('completed')
    expect(target.hits).toHaveLength(2)
    expect(lines.filter((line) => /"level":(40|50|"warn"|"error")/.test(line))).toEqual([])
  })

  test('runs what is due although Redis has been away since its start, and ends in order', { timeout: 60_000 }, async ({ api }) => {
    const { serve, shutdown } = prepareAlmanac(api, { REDIS_URL: `redis://127.0.0.1:${await pickLoopbackPort(null)}` })
    serve().catch(() => undefined) // it waits for Redis until its end
    const { id } = await createSchedule(api, { minutes: 0 })
    await expect.poll(() => runsOf(api, id), { timeout: 20_000 }).toMatchObject([{ status: 'fired', queryStatus: 'queued' }])
    const [run] = await runsOf(api, id)
    const jobs = await api.house.pool.query('SELECT FROM outbox WHERE job_id = $1', [`query-${run?.queryId}-1`])
    expect(jobs.rowCount).toBe(1)
    const endedAt = Date.now()
    await shutdown.run()
    expect(Date.now() - endedAt).toBeLessThan(15_000)
  })
})
