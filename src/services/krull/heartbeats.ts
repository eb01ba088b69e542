import type { BrowserSystem } from '../../contract/krull/system.ts'
import type { House } from '../house.ts'

/** What a browser process tells of itself. */
export interface BrowserHeartbeat extends Omit<BrowserSystem['workers'][number], 'heartbeatAt'> {
  readonly errors: BrowserSystem['errors']['recent']
}

/** How often a process tells it, and after how long a silent one counts as gone. */
export const beatEveryMs = 2_000
const goneAfterMs = 10_000

const keyOf = ({ env }: House): string => `${env.redisPrefix}:krull`

/** Tells how this process is. */
export async function beat(house: House, heartbeat: BrowserHeartbeat): Promise<void> {
  if (house.redis.status !== 'ready') return
  await house.redis.hset(keyOf(house), heartbeat.id, JSON.stringify({ ...heartbeat, heartbeatAt: new Date(house.clock()).toISOString() }))
}

/** Takes a process off the list before it would be missed. */
export async function endBeat(house: House, id: string): Promise<void> {
  if (house.redis.status === 'ready') await house.redis.hdel(keyOf(house), id).catch(() => undefined)
}

/** What the live processes have told, the oldest first; what others left behind is removed. */
export async function readBeats(house: House): Promise<(BrowserHeartbeat & { readonly heartbeatAt: string })[]> {
  const told = Object.entries(await house.redis.hgetall(keyOf(house)))
  const beats = told.map(([, text]) => JSON.parse(text) as BrowserHeartbeat & { heartbeatAt: string }) // written by beat
  const [live, gone] = [true, false].map((isLive) => beats.filter(({ heartbeatAt }) => house.clock() - Date.parse(heartbeatAt) < goneAfterMs === isLive))
  if (gone && gone.length > 0) void house.redis.hdel(keyOf(house), ...gone.map(({ id }) => id)).catch(() => undefined)
  return (live ?? []).toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
}
