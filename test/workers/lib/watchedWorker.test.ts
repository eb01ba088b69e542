import { Queue, Worker } from 'bullmq'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { randomText } from '../../../src/platform/ids.ts'
import { openLogger } from '../../../src/platform/logger.ts'
import { openWorkerRedis } from '../../../src/platform/redis.ts'
import { WatchedWorker } from '../../../workers/lib/watchedWorker.ts'

describe('a worker that is watched', () => {
  test('is replaced when jobs wait and it fetches none, and the new one does them', { timeout: 60_000 }, async () => {
    const served = serve((worker, opened) => (opened === 1 ? worker.pause(true) : undefined))
    await served.queue.add('job', {})
    await expect.poll(() => served.seen.done, { timeout: 20_000 }).toBe(1)
    expect(served.seen).toMatchObject({ opened: 2, hopeless: 0 })
  })

  test('gives the process up when a new one fetches none either', { timeout: 60_000 }, async () => {
    const served = serve((worker) => worker.pause(true))
    await served.queue.add('job', {})
    await expect.poll(() => served.seen.hopeless, { timeout: 20_000 }).toBe(1)
    expect(served.seen).toMatchObject({ opened: 2, done: 0 })
  })

  test('is left alone while it is busy, and while nothing waits', { timeout: 60_000 }, async () => {
    let finish = (): void => undefined
    const busy = new Promise<void>((resolve) => (finish = resolve))
    const served = serve(() => undefined, () => busy)
    await served.queue.addBulk([{ name: 'job', data: {} }, { name: 'job', data: {} }])
    await served.pass(8)
    finish()
    await expect.poll(() => served.seen.done, { timeout: 20_000 }).toBe(2)
    await served.pass(8)
    expect(served.seen.opened).toBe(1)
  })

  test('takes as many jobs at once as it is let, and is not thought stuck for taking no more', { timeout: 60_000 }, async () => {
    let finish = (): void => undefined
    const busy = new Promise<void>((resolve) => (finish = resolve))
    const served = serve(() => undefined, () => busy, 3)
    served.watched.limit(1)
    await served.queue.addBulk(Array.from({ length: 4 }, () => ({ name: 'job', data: {} })))
    await served.pass(8)
    expect([served.watched.running, served.seen.opened]).toEqual([1, 1])
    served.watched.limit(3)
    await served.pass(8)
    expect(served.seen.opened).toBe(1)
    finish()
    await expect.poll(() => served.seen.done, { timeout: 20_000 }).toBe(4)
  })
})

const lookEveryMs = 100

/** Serves a queue of its own, with room for one job unless told otherwise; `spoil` sees every worker that is opened. */
function serve(spoil: (worker: Worker, opened: number) => unknown, work: () => Promise<void> = () => Promise.resolve(), concurrency = 1) {
  const log = openLogger('silent', 'test')
  const redis = openWorkerRedis(inject('redisUrl'), log)
  const prefix = `t${randomText(6)}`
  const queue = new Queue('watched', { connection: redis, prefix })
  const seen = { opened: 0, done: 0, hopeless: 0, ticks: 0 }
  const watched = new WatchedWorker({
    concurrency,
    perform: async () => {
      await work()
      seen.done += 1
    },
    open: (perform) => {
      seen.opened += 1
      const worker = new Worker('watched', perform, { connection: redis, prefix, concurrency, autorun: false })
      worker.on('error', () => undefined)
      void spoil(worker, seen.opened)
      void worker.waitUntilReady().then(() => worker.run())
      return worker
    },
    countWaiting: () => queue.getWaitingCount(),
    onHopeless: () => void (seen.hopeless += 1),
    log,
    lookEveryMs,
  })
  const clock = setInterval(() => void (seen.ticks += 1), lookEveryMs)
  onTestFinished(async () => {
    clearInterval(clock)
    watched.stopWatching()
    await watched.worker.close(true)
    await queue.close()
    redis.disconnect()
  })
  /** Waits until there was time for so many looks. */
  const pass = (looks: number) => {
    const until = seen.ticks + looks
    return expect.poll(() => seen.ticks, { timeout: 20_000 }).toBeGreaterThanOrEqual(until)
  }
  return { watched, seen, queue, pass }
}
