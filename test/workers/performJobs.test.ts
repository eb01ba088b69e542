import type { Job, Worker } from 'bullmq'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/platform/errors.ts'
import { randomText } from '../../src/platform/ids.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openWorkerRedis } from '../../src/platform/redis.ts'
import { openQueue, openWorker } from '../../src/queues/connect.ts'
import type { JobFacts } from '../../src/queues/processor.ts'
import { drain } from '../../workers/lib/drain.ts'
import { performJobs } from '../../workers/lib/performJobs.ts'

const name = 'almanac.housekeeping'

/** A queue and a worker on it whose one job does what the test wants. */
function serve(processor: (payload: unknown, facts: JobFacts) => Promise<unknown>) {
  const lines: string[] = []
  const log = openLogger('debug', 'test', { write: (line) => void lines.push(line) })
  const redis = openWorkerRedis(inject('redisUrl'), log)
  const prefix = `t${randomText(6)}`
  const queue = openQueue('almanac', redis, prefix)
  const open = (perform = processor): Worker => {
    const worker = openWorker('almanac', redis, { prefix, concurrency: 5 }, performJobs('almanac', { [name]: perform }, log))
    onTestFinished(() => worker.close(true))
    void worker.run()
    return worker
  }
  onTestFinished(async () => {
    await queue.close()
    redis.disconnect()
  })
  return { queue, redis, worker: open(), open, lines }
}

/** A job that begins, and ends when the test says so or, where it heeds its signal, when that is aborted. */
function heldJob({ heedsSignal }: { heedsSignal: boolean }) {
  let begin = (): void => undefined
  let finish = (): void => undefined
  const begun = new Promise<void>((done) => (begin = done))
  const processor = (_: unknown, { signal }: JobFacts): Promise<void> =>
    new Promise((done, fail) => {
      finish = done
      if (heedsSignal) signal.addEventListener('abort', () => fail(new Error('aborted')))
      begin()
    })
  return { processor, begun, finish: () => finish() }
}

const ended = async (job: Job, state: string): Promise<void> => {
  await expect.poll(() => job.getState(), { timeout: 10_000 }).toBe(state)
}

describe('the jobs of a worker', () => {
  test('get their payload, their id, a signal and a log that names them', async () => {
    const { queue, lines } = serve(async (payload, { jobId, signal, log }) => {
      log.info('at work')
      return { payload, jobId, aborted: signal.aborted }
    })
    const job = await queue.add(name, { some: 'thing' })
    await ended(job, 'completed')
    expect(await queue.getJob(job.id ?? '')).toMatchObject({ returnvalue: { payload: { some: 'thing' }, jobId: job.id, aborted: false } })
    const told = lines.map((line) => JSON.parse(line) as object)
    expect(told).toContainEqual(expect.objectContaining({ msg: 'at work', job: name, jobId: job.id }))
  })

  test('fail at once when the payload does not match its schema', async () => {
    let calls = 0
    const { queue } = serve(async () => (calls += 1))
    const job = await queue.add(name, ['not', 'an', 'object'])
    await ended(job, 'failed')
    expect(await queue.getJob(job.id ?? '')).toMatchObject({ attemptsMade: 1 })
    expect(calls).toBe(0)
  })

  test('fail at once on an expected failure, and are tried again after a surprise', async () => {
    const tries: string[] = []
    const { queue } = serve(async (payload) => {
      const { kind } = payload as { kind: string }
      tries.push(kind)
      if (kind === 'expected') throw new Problem('conflict', 'Not now.')
      if (tries.filter((other) => other === kind).length === 1) throw new Error('a surprise')
    })
    const expected = await queue.add(name, { kind: 'expected' })
    const surprise = await queue.add(name, { kind: 'surprise' })
    await ended(expected, 'failed')
    await ended(surprise, 'completed')
    expect(tries.toSorted()).toEqual(['expected', 'surprise', 'surprise'])
    expect((await queue.getJob(expected.id ?? ''))?.failedReason).toBe('Not now.')
  })

  test('may end in their own time when the worker drains', async () => {
    const { processor, begun, finish } = heldJob({ heedsSignal: false })
    const { queue, worker, redis } = serve(processor)
    const job = await queue.add(name, {})
    await begun
    const drained = drain(worker, redis, { finishMs: 10_000, letGoMs: 1_000 })
    finish()
    await drained
    expect(await job.getState()).toBe('completed')
  })

  test('are given back, untried, when they do not end in time', async () => {
    const { processor, begun } = heldJob({ heedsSignal: true })
    const { queue, worker, redis, open } = serve(processor)
    const job = await queue.add(name, {})
    await begun
    await drain(worker, redis, { finishMs: 50, letGoMs: 10_000 })
    expect(await job.getState()).toBe('waiting')
    expect(await queue.getJob(job.id ?? '')).toMatchObject({ attemptsMade: 0 })
    open(async () => 'done by another')
    await ended(job, 'completed')
  })

  test('do not hold up the end when they ignore their signal', async () => {
    const { processor, begun, finish } = heldJob({ heedsSignal: false })
    const { queue, worker, redis } = serve(processor)
    await queue.add(name, {})
    await begun
    await drain(worker, redis, { finishMs: 50, letGoMs: 50 })
    finish()
    await worker.close()
  })
})
