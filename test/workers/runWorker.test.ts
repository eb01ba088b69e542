import { Redis } from 'ioredis'
import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId, randomText } from '../../src/platform/ids.ts'
import { openQueue } from '../../src/queues/connect.ts'
import { processSettings, startBuilt, type BuiltProcess } from '../support/builtProcess.ts'
import { openTestPool } from '../support/testPool.ts'
import { prepareRedis } from '../support/ownRedis.ts'

const almanac = 'workers/almanac.js'

/** A queue of the worker under test, with a connection of its own. */
function openTestQueue(settings: Record<string, string>) {
  const redis = new Redis(settings['REDIS_URL'] ?? '', { maxRetriesPerRequest: null })
  const queue = openQueue('almanac', redis, settings['REDIS_PREFIX'] ?? '')
  onTestFinished(async () => {
    await queue.close()
    redis.disconnect()
  })
  return queue
}

const warningsOf = ({ lines }: BuiltProcess): string[] => lines.filter((line) => line.includes('"level":"warn"'))

async function keepAnswer(pool: pg.Pool, key: string, age: string): Promise<void> {
  await pool.query(
    `INSERT INTO idempotent_requests (api_key_id, key, fingerprint, work_id, lease_until, created_at)
     VALUES ($1, $2, '', $3, now(), now() - $4::interval)`,
    [newId(), key, newId(), age],
  )
}

const keptKeys = async (pool: pg.Pool): Promise<string[]> =>
  (await pool.query<{ key: string }>('SELECT key FROM idempotent_requests ORDER BY key')).rows.map((row) => row.key)

describe('a worker process', () => {
  test('runs its repeated jobs by itself: housekeeping removes answers older than a day', async () => {
    const { url, pool } = await openTestPool()
    await keepAnswer(pool, 'old', '25 hours')
    await keepAnswer(pool, 'young', '23 hours')
    const worker = startBuilt(almanac, processSettings(url))
    await worker.says('"msg":"serving"')
    await expect.poll(() => keptKeys(pool), { timeout: 10_000 }).toEqual(['young'])
  })

  test('ends with 0 within 5 s of SIGTERM when it is idle', async () => {
    const { url } = await openTestPool()
    const settings = processSettings(url)
    const queue = openTestQueue(settings)
    const worker = startBuilt(almanac, settings)
    await worker.says('"msg":"serving"')
    await expect.poll(() => queue.getJobCounts('active', 'completed'), { timeout: 10_000 }).toEqual({ active: 0, completed: 1 })
    const asked = Date.now()
    worker.signal('SIGTERM')
    expect(await worker.exited).toBe(0)
    expect(Date.now() - asked).toBeLessThan(5_000)
    expect(worker.errorLines).toEqual([])
  })

  test('fails a job whose name it does not know without trying it again', async () => {
    const { url } = await openTestPool()
    const settings = processSettings(url)
    const queue = openTestQueue(settings)
    const unknown = await queue.add('almanac.unknown', {})
    const inherited = await queue.add('constructor', {})
    const worker = startBuilt(almanac, settings)
    await worker.says('"msg":"serving"')
    for (const job of [unknown, inherited]) {
      await expect.poll(() => job.getState(), { timeout: 10_000 }).toBe('failed')
      const failed = await queue.getJob(job.id ?? '')
      expect(failed).toMatchObject({ attemptsMade: 1, failedReason: expect.stringContaining(job.name) as string })
    }
  })

  test('waits for a Redis that is away, with one line about it, and serves when it is there', async () => {
    const { url, pool } = await openTestPool()
    const redis = await prepareRedis()
    await keepAnswer(pool, 'old', '25 hours')
    const worker = startBuilt(almanac, { ...processSettings(url), REDIS_URL: redis.url })
    await worker.says('redis is not reachable')
    await redis.start()
    await worker.says('"msg":"serving"')
    await expect.poll(() => keptKeys(pool), { timeout: 10_000 }).toEqual([])
    expect(worker.errorLines).toEqual([])
    expect(warningsOf(worker)).toEqual([expect.stringContaining('redis is not reachable')])
  })

  test('goes on serving after Redis was killed and came back', async () => {
    const { url } = await openTestPool()
    const redis = await prepareRedis()
    const server = await redis.start()
    const settings = { ...processSettings(url), REDIS_URL: redis.url }
    const worker = startBuilt(almanac, settings)
    await worker.says('"msg":"serving"')
    await server.kill()
    await worker.says('redis is not reachable')
    await redis.start()
    const job = await openTestQueue(settings).add('almanac.unknown', {})
    await expect.poll(() => job.getState(), { timeout: 15_000 }).toBe('failed')
    expect(worker.errorLines).toEqual([])
    expect(warningsOf(worker)).toEqual([expect.stringContaining('redis is not reachable')])
  })

  test('ends with 0 although Redis is away, whether it was ever there or not', async () => {
    const { url } = await openTestPool()
    const redis = await prepareRedis()
    const settings = { ...processSettings(url), REDIS_URL: redis.url }
    const waiting = startBuilt(almanac, settings)
    await waiting.says('redis is not reachable')
    waiting.signal('SIGTERM')
    expect(await waiting.exited).toBe(0)
    expect(waiting.errorLines).toEqual([])

    const server = await redis.start()
    const serving = startBuilt(almanac, settings)
    await serving.says('"msg":"serving"')
    await server.kill()
    await serving.says('redis is not reachable')
    const asked = Date.now()
    serving.signal('SIGTERM')
    expect(await serving.exited).toBe(0)
    expect(Date.now() - asked).toBeLessThan(10_000)
  }, 60_000)

  test('ends with 1 for a fault that nobody caught, and tells it in one line of the log without secrets', async () => {
    const { url } = await openTestPool()
    const crash = `process.on('SIGUSR2', () => void Promise.reject(new Error('lost postgres://quern:' + 'can' + 'ary@db')))`
    const worker = startBuilt(almanac, { ...processSettings(url), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` })
    await worker.says('"msg":"serving"')
    worker.signal('SIGUSR2')
    expect(await worker.exited).toBe(1)
    expect(worker.errorLines).toEqual([])
    const told = worker.lines.filter((line) => line.includes('"level":"fatal"'))
    expect(told).toEqual([expect.stringContaining('lost postgres://***@db')])
    expect(told[0]).not.toContain('canary')
  })

  test('takes no job under a wrong master key: it ends with 78 and says why', async () => {
    const { url } = await openTestPool()
    const settings = processSettings(url)
    const right = startBuilt(almanac, settings)
    await right.says('"msg":"serving"')
    right.signal('SIGTERM')
    await right.exited
    const job = await openTestQueue(settings).add('almanac.unknown', {})
    const wrong = startBuilt(almanac, { ...settings, MASTER_KEY: randomText(32) })
    expect(await wrong.exited).toBe(78)
    expect(wrong.errorLines).toEqual([expect.stringContaining('MASTER_KEY')])
    expect(await job.getState()).toBe('waiting')
  })
})
