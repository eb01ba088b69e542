import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openLogger } from '../../src/platform/logger.ts'
import { isReadySoon, openProducerRedis, type Redis } from '../../src/platform/redis.ts'

function open(url: string): Redis {
  const redis = openProducerRedis(url, openLogger('silent', 'test'))
  onTestFinished(() => redis.disconnect())
  return redis
}

describe('a client for producers', () => {
  test('that was just opened is waited for', async () => {
    const redis = open(inject('redisUrl'))
    expect(redis.status).not.toBe('ready')
    expect(await isReadySoon(redis)).toBe(true)
    expect(await redis.ping()).toBe('PONG')
  })

  test('that reaches nobody is waited for a second, once', async () => {
    const redis = open('redis://127.0.0.1:1')
    const started = performance.now()
    expect(await isReadySoon(redis)).toBe(false)
    expect(performance.now() - started).toBeGreaterThan(900)
    const again = performance.now()
    expect(await isReadySoon(redis)).toBe(false)
    expect(performance.now() - again).toBeLessThan(100)
  })
})
