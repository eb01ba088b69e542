import { describe, expect, onTestFinished } from 'vitest'
import { readEnv } from '../../../src/platform/env.ts'
import { openLogger } from '../../../src/platform/logger.ts'
import { openProducerRedis } from '../../../src/platform/redis.ts'
import { Shutdown } from '../../../src/platform/shutdown.ts'
import { tick } from '../../../src/services/almanac/tick.ts'
import type { House } from '../../../src/services/house.ts'
import { openHouse } from '../../../src/services/openHouse.ts'
import { closeQueues } from '../../../src/services/queuesOf.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { createSchedule, makeDue, runsOf } from '../../support/schedules.ts'

/** A house of its own, as another process on the same database has it. */
function openAnother({ settings }: RunningApi): House {
  const log = openLogger('silent', 'test')
  const shutdown = new Shutdown(log)
  const house = openHouse(readEnv({ ...settings, DATABASE_POOL: '3' }), log, shutdown, openProducerRedis)
  shutdown.onShutdown('queues', () => closeQueues(house))
  onTestFinished(() => shutdown.run())
  return house
}

describe('four processes that tick at once', () => {
  test('run each slot of many schedules at most once, and leave none without a record', { timeout: 60_000 }, async ({ api, call }) => {
    const tickers = Array.from({ length: 4 }, () => openAnother(api))
    const schedules = await Promise.all(Array.from({ length: 40 }, (_, index) => createSchedule(api, { minutes: 1 + (index % 3), overlap: 'queue' })))
    const rounds = 3
    for (let round = 0; round < rounds; round += 1) {
      for (const { id } of schedules) await makeDue(api, id, 3_500 * (1 + (round % 2)) + 60_000 * round)
      await Promise.all(tickers.map((house) => tick(house)))
    }
    for (const { id, minutes } of schedules) {
      const runs = await runsOf(api, id)
      const slots = Array.from({ length: rounds }, (_, round) => 1 + Math.floor(round / minutes)).reduce((sum, count) => sum + count, 0)
      const fired = runs.filter(({ status }) => status === 'fired')
      expect([id, fired.length, runs.length]).toEqual([id, rounds, slots])
      expect(new Set(runs.map(({ slot }) => slot?.getTime())).size).toBe(slots)
      expect(await api.house.db.query.count({ where: { scheduleId: id } })).toBe(rounds)
      expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ runs: { fired: rounds, skipped: slots - rounds, failed: 0 } })
    }
  })
})
