import { hostname } from 'node:os'
import { randomText } from '../../src/platform/ids.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import type { House } from '../../src/services/house.ts'
import { reapBrowserJobs } from '../../src/services/krull/reapJobs.ts'
import { reconcileBrowserJobs } from '../../src/services/krull/reconcileJobs.ts'
import { reapImages } from '../../src/services/screenshot/reap.ts'
import { holdLease, leaveLease } from '../../src/services/sirp/engine/keeperLease.ts'
import { relayOutbox } from '../../src/services/sirp/engine/outbox.ts'
import { reapRows } from '../../src/services/sirp/engine/reap.ts'
import { expireOverdue, reconcileQueries, reconcileUnits } from '../../src/services/sirp/engine/reconcile.ts'

const tickMs = 1_000
/** Removing what has served its time can wait a little longer than queries can. */
const reapEveryTicks = 5
/** How long owners have to renew their leases when the database was away, before what they hold counts as abandoned. */
const graceMs = 4_000

/**
 * Keeps queries going whatever dies: under a lease, so that one process of all does it, it sends jobs that lie in the outbox, puts
 * work back into the queue that nobody does any more, ends what is out of time and removes what has expired. Answers how to end it.
 */
export function startKeeper(house: House): () => Promise<void> {
  const owner = `${hostname()}-${process.pid}-${randomText(6)}`
  let [ticks, busy, ended] = [0, Promise.resolve(), false]
  // A process that has just started cannot know whether the database was there a moment ago.
  let sparedUntil = performance.now() + graceMs
  const tick = async (): Promise<void> => {
    if (ended || !(await holdLease(house.pool, owner))) return
    await expireOverdue(house)
    ticks += 1
    if (ticks % reapEveryTicks === 0) await reapAll(house)
    if (house.redis.status !== 'ready') return // nothing can be put into a queue, and the rest must not wait for it
    await relayOutbox(house)
    const spareOwned = performance.now() < sparedUntil
    await reconcileQueries(house, spareOwned)
    await reconcileUnits(house, spareOwned)
    await reconcileBrowserJobs(house, spareOwned)
  }
  const tellFailure = (err: unknown): void => {
    if (isUnavailable(err)) sparedUntil = performance.now() + graceMs
    house.log[isUnavailable(err) ? 'debug' : 'warn']({ err }, 'queries were not looked after')
  }
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    busy = tick().catch(tellFailure).finally(() => (running = false))
  }, tickMs)
  return async () => {
    ended = true
    clearInterval(timer)
    await busy
    await leaveLease(house.pool, owner).catch(() => undefined)
  }
}

async function reapAll(house: House): Promise<void> {
  await reapRows(house)
  await reapBrowserJobs(house)
  await reapImages(house)
}
