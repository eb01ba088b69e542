import { pause } from '../../platform/clock.ts'
import { randomText } from '../../platform/ids.ts'
import type { House } from '../house.ts'

/** Longer than any process needs to drain; one that dies in its turn keeps the others waiting no longer than this. */
const turnMs = 40_000
const askAgainMs = 100

const leaveScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

/** Does something in one process of all at a time, so that the others of its kind go on serving; without Redis there is nobody to wait for. */
export async function inTurn(house: House, kind: string, work: () => Promise<void>): Promise<void> {
  const key = `${house.env.redisPrefix}:turns:${kind}`
  const token = randomText(9)
  await takeTurn(house, key, token)
  try {
    await work()
  } finally {
    if (house.redis.status === 'ready') await house.redis.eval(leaveScript, 1, key, token).catch(() => undefined) // it ends by itself too
  }
}

async function takeTurn({ redis }: House, key: string, token: string): Promise<void> {
  const until = Date.now() + turnMs
  while (redis.status === 'ready' && Date.now() < until) {
    const taken = await redis.set(key, token, 'PX', turnMs, 'NX').catch(() => 'OK')
    if (taken === 'OK') return
    await pause(askAgainMs)
  }
}
