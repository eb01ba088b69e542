import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Redis } from '../../src/platform/redis.ts'
import { install, permitted } from '../support/governors.ts'

const hosts = 10_000
/** So many are asked for before anything is compared. */
const firstHosts = 500
const atOnce = 50

/** Timers of this process that keep counting. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

/** Bytes that are in use after a collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // it is there once the flag is set
  collect()
  return process.memoryUsage().heapUsed
}

/** Whether every host has keys of its own, and which keys do not expire. */
async function keysOf(redis: Redis, prefix: string): Promise<{ enough: boolean; lasting: string[] }> {
  const names = await redis.keys(`*${prefix}:*`)
  const pipeline = redis.pipeline()
  for (const name of names) pipeline.pttl(name)
  const answers = (await pipeline.exec()) ?? []
  return { enough: names.length > (hosts - firstHosts) * 3, lasting: names.filter((_, at) => answers[at]?.[1] === -1) }
}

describe('many domains', () => {
  test('leave no key in Redis that does not expire, and no timer, connection or place in memory', { timeout: 180_000 }, async () => {
    const { open, redis, prefix } = install({}, { byDefault: '5/50/300' })
    const governor = open()
    const take = async (index: number): Promise<void> => permitted(await governor.take(`host${index}.example`, { id: 'h' })).answered()
    const takeAll = async (from: number, to: number): Promise<void> => {
      const takeEach = async (first: number): Promise<void> => {
        for (let index = first; index < to; index += atOnce) await take(index)
      }
      await Promise.all(Array.from({ length: atOnce }, (_, at) => takeEach(from + at)))
    }
    const connections = async (): Promise<number> => String(await redis.client('LIST')).trim().split('\n').length
    const idle = async (): Promise<void> => {
      await expect.poll(() => governor.openLimiters, { timeout: 40_000, interval: 500 }).toBe(0)
    }

    await takeAll(0, firstHosts)
    await idle()
    const before = { timers: timers(), connections: await connections(), heap: heapBytes() }
    await takeAll(firstHosts, hosts)
    expect(await keysOf(redis, prefix)).toEqual({ enough: true, lasting: [`${prefix}:gonogo:epoch`] })
    await idle()
    expect(timers()).toBeLessThanOrEqual(before.timers + 5)
    expect(await connections()).toBeLessThanOrEqual(before.connections)
    expect(heapBytes() - before.heap).toBeLessThan(10 * 2 ** 20)
  })
})
