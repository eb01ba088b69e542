import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPrivateRedis } from '../../ops/up/privateRedis.ts'
import type { PrivateServer } from '../../ops/up/privateServer.ts'
import { install, permitted, refused } from '../support/governors.ts'

/** A Redis of the test's own, because it is killed. */
async function ownRedis(): Promise<{ server: PrivateServer; again: () => Promise<PrivateServer> }> {
  await mkdir(resolve('.data'), { recursive: true })
  const dir = await mkdtemp(resolve('.data', 'test-governor-'))
  const servers = [await startPrivateRedis({ dir })]
  onTestFinished(async () => {
    await Promise.all(servers.map((one) => one.kill()))
    await rm(dir, { recursive: true, force: true })
  })
  const [server] = servers as [PrivateServer]
  return {
    server,
    async again() {
      const next = await startPrivateRedis({ dir, port: server.port })
      servers.push(next)
      return next
    },
  }
}

const limited = { 'shop.example': { perSecond: 10, perMinute: 100 } }

describe('a governor whose Redis goes away', () => {
  test('lets nothing go meanwhile, and goes on by itself when it is back with its state', { timeout: 60_000 }, async () => {
    const { server, again } = await ownRedis()
    const governor = install({ 'shop.example': { perMinute: 2 } }, { url: server.url }).open()
    permitted(await governor.take('shop.example', { id: '1' })).answered()
    await server.kill()
    await expect.poll(() => governor.take('shop.example', { id: '2' }), { timeout: 10_000 }).toMatchObject({ go: false, reason: 'redis', waitMs: 1_000 })
    permitted(await governor.take('free.example', { id: '2' }))
    await again()
    await expect.poll(async () => (await governor.take('shop.example', { id: '2' })).go, { timeout: 10_000 }).toBe(true)
    expect(refused(await governor.take('shop.example', { id: '3' })).reason).toBe('limit')
  })

  test('holds off for a minute when it is back without its state, in every process and also for new ones', { timeout: 60_000 }, async () => {
    const { server } = await ownRedis()
    const { open, redis } = install(limited, { url: server.url })
    const [a, b] = [open(), open()]
    permitted(await a.take('shop.example', { id: '1' })).answered()
    permitted(await b.take('shop.example', { id: '2' })).answered()
    await redis.flushall()
    const refusal = refused(await a.take('shop.example', { id: '3' }))
    expect(refusal.reason).toBe('held_off')
    expect(Number(refusal.nextAt) - Date.now()).toBeGreaterThan(55_000)
    expect(Number(refusal.nextAt) - Date.now()).toBeLessThan(61_000)
    expect(refused(await b.take('other.shop.example', { id: '4' })).reason).toBe('held_off')
    expect(refused(await open().take('shop.example', { id: '5' })).reason).toBe('held_off')
    permitted(await a.take('free.example', { id: '6' }))
  })

  test('holds off when Redis comes back with older data than it has seen', async () => {
    const { server } = await ownRedis()
    const { open, redis, prefix } = install(limited, { url: server.url })
    const governor = open()
    for (const id of ['1', '2', '3']) permitted(await governor.take('shop.example', { id })).answered()
    await redis.hset(`${prefix}:gonogo:epoch`, 'seq', 1)
    expect(refused(await governor.take('shop.example', { id: '4' })).reason).toBe('held_off')
  })

  test('does not hold off in front of a Redis that it has never seen', async () => {
    const { server } = await ownRedis()
    permitted(await install(limited, { url: server.url }).open().take('shop.example', { id: '1' }))
  })
})
