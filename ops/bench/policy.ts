import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { simulate } from '../../src/governor/simulate.ts'
import { pause } from '../../src/platform/clock.ts'
import { startPrivateRedis } from '../up/privateRedis.ts'
import type { Bench, Measured } from './measure.ts'
import { mostWithin, openObserver, type Observer } from './observer.ts'

const limits = { perSecond: 5, perTenSeconds: 40, perMinute: 200 }
const processCounts = [1, 2, 4]
const seconds = 75

/** Greatest counts that a target sees, and the use of the allowance, with 1, 2 and 4 processes; all at once, each with a domain of its own. */
export const benchPolicy: Bench = async () => {
  await mkdir(resolve('.data'), { recursive: true })
  const dir = await mkdtemp(resolve('.data', 'bench-'))
  const redis = await startPrivateRedis({ dir })
  const observer = await openObserver()
  try {
    const ends = processCounts.flatMap((count) => Array.from({ length: count }, () => startWorker(redis.url, count, observer)))
    await pause(seconds * 1_000)
    for (const end of ends) await end()
    return processCounts.flatMap((count) => measure(count, observer.hits(`/${count}`)))
  } finally {
    observer.close()
    await redis.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Starts a process, and answers how to end it. */
function startWorker(redisUrl: string, group: number, observer: Observer): () => Promise<void> {
  const args = [redisUrl, `of${group}.example`, `${observer.url}/${group}`, JSON.stringify(limits)]
  const child = fork('dist/ops/bench/policyWorker.js', args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  return async () => {
    child.kill('SIGKILL')
    await gone
  }
}

function measure(count: number, hits: readonly number[]): Measured[] {
  const what = `policy 5/40/200, ${count} process${count === 1 ? '' : 'es'}`
  const most = (ms: number, words: string, allowed: number): Measured => {
    const value = mostWithin(hits, ms)
    const reached = value <= allowed
    const counts = { value, beside: 'the policy', raw: allowed, unit: 'hits', ratio: value / allowed }
    return { what: `${what}: most in any ${words}`, ...counts, reach: '≤ 1', reached }
  }
  const spanMs = Math.max(...hits) - Math.min(...hits)
  const allowed = mostSendable(spanMs)
  const ratio = hits.length / allowed
  const use = { what: `${what}: use`, value: hits.length, beside: 'all that the policy allows', raw: allowed, unit: 'hits', ratio }
  return [
    most(1_000, 'second', limits.perSecond),
    most(10_000, 'ten seconds', limits.perTenSeconds),
    most(60_000, 'minute', limits.perMinute),
    { ...use, reach: '≥ 0.9', reached: ratio >= 0.9 },
  ]
}

/** How many dispatches the policy allows in so long a time. */
function mostSendable(ms: number): number {
  let count = 1
  while ((simulate(limits, count + 1) ?? Infinity) <= ms) count += 1
  return count
}
