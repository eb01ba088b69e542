import type { Worker } from 'bullmq'
import { pause } from '../../src/platform/clock.ts'
import type { Redis } from '../../src/platform/redis.ts'

/** Why a job's signal is aborted at shutdown: the job is given back, and counts as not tried. */
export const shutdownReason = 'shutdown'

/** How long running jobs may take to end, and then to let go. */
export interface DrainBounds {
  readonly finishMs: number
  readonly letGoMs: number
}

const usualBounds: DrainBounds = { finishMs: 20_000, letGoMs: 3_000 }

/**
 * Stops a worker: no new jobs, time for the running ones, then a signal to give themselves back.
 * What holds on nevertheless is taken over by another process.
 */
export async function drain(worker: Worker, redis: Redis, { finishMs, letGoMs }: DrainBounds = usualBounds): Promise<void> {
  // Without Redis no job can be ended or given back, so there is nothing to wait for.
  if (redis.status !== 'ready') return worker.close(true)
  const closed = worker.close()
  if (await endsWithin(closed, finishMs, redis)) return
  worker.cancelAllJobs(shutdownReason)
  await endsWithin(closed, letGoMs, redis)
}

/** How long Redis may be away while a worker waits for its jobs: a runner that was killed takes its servers with it. */
const awayMs = 2_000

/** Whether the work ended in time; false at once when Redis has been away too long for any job to end. */
async function endsWithin(work: Promise<void>, boundMs: number, redis: Redis): Promise<boolean> {
  const ended = new AbortController()
  void work.finally(() => ended.abort())
  const until = Date.now() + boundMs
  for (let seenAt = Date.now(); !ended.signal.aborted && Date.now() < until; ) {
    await pause(100, ended.signal)
    if (redis.status === 'ready') seenAt = Date.now()
    if (Date.now() - seenAt > awayMs) break
  }
  return ended.signal.aborted
}
