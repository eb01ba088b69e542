import { describe, expect, test } from 'vitest'
import { install, permitted } from '../support/governors.ts'

describe('many domains', () => {
  test('leave no key in Redis that does not expire, and no place in memory', { timeout: 120_000 }, async () => {
    const { open, redis, prefix } = install({}, { byDefault: '5/50/300' })
    const governor = open()
    const take = async (index: number): Promise<void> => permitted(await governor.take(`host${index}.example`, { id: 'h' })).answered()
    const takeFrom = async (first: number): Promise<void> => {
      for (let index = first; index < 1_500; index += 20) await take(index)
    }
    await Promise.all(Array.from({ length: 20 }, (_, first) => takeFrom(first)))
    const names = await redis.keys(`${prefix}:*`)
    expect(names.length).toBeGreaterThan(1_500 * 3)
    const lasting = (await Promise.all(names.map(async (name) => [name, await redis.pttl(name)] as const))).filter(([, ttl]) => ttl === -1)
    expect(lasting.map(([name]) => name)).toEqual([`${prefix}:gonogo:epoch`])
    expect((await governor.view({ offset: 0, limit: 1 })).total).toBe(1_500)
    await expect.poll(() => governor.openLimiters, { timeout: 30_000, interval: 500 }).toBe(0)
  })
})
