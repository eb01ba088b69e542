import { describe, expect, onTestFinished } from 'vitest'
import { onRestart } from '../../../src/services/workers/components.ts'
import { askRestart, liveProcesses } from '../../../src/services/workers/processes.ts'
import { Pulse } from '../../../src/services/workers/pulse.ts'
import { startApi, test } from '../../support/api.ts'

/** The heartbeat of a process that hosts the almanac, whose restarts are counted. */
async function openPulse(rebuild: () => Promise<void> | void) {
  const api = await startApi()
  const { house } = api
  onRestart(house, ['almanac'], rebuild)
  const pulse = new Pulse(house, { type: 'almanac', concurrency: 3, running: () => 2, jobMs: () => 7 })
  onTestFinished(async () => {
    await pulse.close()
    await api.close()
  })
  const facts = async () => (await liveProcesses(house)).find(({ id }) => id === pulse.id)
  await expect.poll(facts, { timeout: 10_000 }).toBeDefined()
  return { house, pulse, facts }
}

describe('a heartbeat', () => {
  test('tells what the process is and does, until it ends', async () => {
    const { pulse, facts } = await openPulse(() => undefined)
    expect(await facts()).toMatchObject({ id: pulse.id, type: 'almanac', pid: process.pid, concurrency: 3, running: 2, jobMs: 7, restarting: false })
    await pulse.close()
    expect(await facts()).toBeUndefined()
  })

  test('hears of restarts of its services, of each once, and of no others', async () => {
    let rebuilds = 0
    const { house, facts } = await openPulse(() => void (rebuilds += 1))
    await askRestart(house, 'krull')
    const turn = await askRestart(house, 'almanac')
    await expect.poll(async () => (await facts())?.restarts['almanac'], { timeout: 10_000 }).toBe(turn)
    const seenAt = (await facts())?.heartbeatAt
    await expect.poll(async () => (await facts())?.heartbeatAt, { timeout: 10_000 }).not.toBe(seenAt)
    expect(rebuilds).toBe(1)
  })

  test('does not restart what was asked of processes before it', async ({ api }) => {
    await askRestart(api.house, 'almanac')
    let rebuilds = 0
    onRestart(api.house, ['almanac'], () => void (rebuilds += 1))
    const pulse = new Pulse(api.house, { type: 'almanac', concurrency: 1, running: () => 0 })
    await expect.poll(async () => (await liveProcesses(api.house)).find(({ id }) => id === pulse.id)?.restarts['almanac'], { timeout: 10_000 }).toBe(1)
    expect(rebuilds).toBe(0)
    await pulse.close()
  })

  test('tries a restart again that failed', async () => {
    let tries = 0
    const { house, facts } = await openPulse(() => {
      tries += 1
      if (tries < 2) throw new Error('not yet')
    })
    const turn = await askRestart(house, 'almanac')
    await expect.poll(async () => (await facts())?.restarts['almanac'], { timeout: 10_000 }).toBe(turn)
    expect(tries).toBe(2)
  })

  test('hears on after Redis was emptied', async () => {
    let rebuilds = 0
    const { house, facts } = await openPulse(() => void (rebuilds += 1))
    for (let count = 0; count < 3; count += 1) await askRestart(house, 'almanac')
    await expect.poll(() => rebuilds, { timeout: 10_000 }).toBeGreaterThan(0)
    await expect.poll(async () => (await facts())?.restarts['almanac'], { timeout: 10_000 }).toBe(3)
    await house.redis.del(`${house.env.redisPrefix}:restarts`, `${house.env.redisPrefix}:processes`)
    await expect.poll(async () => (await facts())?.restarts, { timeout: 10_000 }).toEqual({})
    const before = rebuilds
    await askRestart(house, 'almanac')
    await expect.poll(() => rebuilds, { timeout: 10_000 }).toBe(before + 1)
  })
})
