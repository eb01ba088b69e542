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
  if (await endsWithin(closed, finishMs)) return
  worker.cancelAllJobs(shutdownReason)
  await endsWithin(closed, letGoMs)
}

async function endsWithin(work: Promise<void>, boundMs: number): Promise<boolean> {
  let ended = false
  const waiting = new AbortController()
  void work.finally(() => {
    ended = true
    waiting.abort()
  })
  await pause(boundMs, waiting.signal)
  return ended
}
