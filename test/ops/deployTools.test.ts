import { describe, expect, inject } from 'vitest'
import { pickLoopbackPort } from '../../ops/up/freePort.ts'
import { test } from '../support/api.ts'
import { startBuilt } from '../support/builtProcess.ts'

const masterKey = 'k'.repeat(40)

describe('the probe of a container', () => {
  test('says that a process of this machine beats', async ({ api, call }) => {
    await expect.poll(async () => (await call('workers.worker.list')).items.length, { timeout: 10_000 }).toBeGreaterThan(0)
    const probe = startBuilt('ops/deploy/probe.js', { REDIS_URL: inject('redisUrl'), REDIS_PREFIX: api.house.env.redisPrefix })
    expect(await probe.exited).toBe(0)
    expect(probe.lines).toEqual([expect.stringMatching(/^api-.* beats\.$/)])
  })

  test('says that none does, and ends with 1', async () => {
    const probe = startBuilt('ops/deploy/probe.js', { REDIS_URL: inject('redisUrl'), REDIS_PREFIX: 'nobody-beats-here' })
    expect(await probe.exited).toBe(1)
    expect(probe.lines).toEqual(['No process of this machine beats.'])
  })

  test('does not have anything restarted because Redis is away', async () => {
    const probe = startBuilt('ops/deploy/probe.js', { REDIS_URL: `redis://127.0.0.1:${await pickLoopbackPort(null)}` })
    expect(await probe.exited).toBe(0)
    expect(probe.lines).toEqual([expect.stringContaining('Redis does not answer')])
  })
})

describe('the migration of a deployment', () => {
  test('brings a database up to date, and does nothing the second time', async ({ api }) => {
    const settings = { DATABASE_URL: api.settings['DATABASE_URL'] ?? '', REDIS_URL: inject('redisUrl'), MASTER_KEY: masterKey }
    const migrate = startBuilt('ops/deploy/migrate.js', settings)
    expect(await migrate.exited, migrate.errorLines.join('\n')).toBe(0)
    expect(migrate.lines).toEqual(['The database is up to date.'])
  })

  test.for([
    [{}, 'DATABASE_URL, REDIS_URL and MASTER_KEY must be set'],
    [{ DATABASE_URL: 'mysql://a', REDIS_URL: 'redis://127.0.0.1:1', MASTER_KEY: masterKey }, 'DATABASE_URL must be a URL'],
    [{ DATABASE_URL: 'postgres://a:secret@127.0.0.1/b', REDIS_URL: 'redis://:secret@127.0.0.1:1', MASTER_KEY: masterKey }, 'The Redis at'],
  ] as const)('says what is wrong with %j', async ([settings, words]) => {
    const migrate = startBuilt('ops/deploy/migrate.js', settings)
    expect(await migrate.exited).toBe(1)
    expect(migrate.errorLines.join('\n')).toContain(words)
    expect(migrate.errorLines.join('\n')).not.toMatch(/secret|^\s+at /m)
  })
})
