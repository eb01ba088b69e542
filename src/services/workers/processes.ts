import type { ProcessType } from '../../contract/services.ts'
import type { House } from '../house.ts'

/** What a process tells of itself, every second. */
export interface ProcessFacts {
  readonly id: string
  readonly type: ProcessType
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly startedAt: string
  readonly heartbeatAt: string
  /** Jobs, or requests, that it takes at once. */
  readonly concurrency: number
  /** Those that it holds now. */
  readonly running: number
  /** What a job has taken lately; null where none has ended yet. */
  readonly jobMs: number | null
  /** Whether it is building a part of itself anew. */
  readonly restarting: boolean
  /** The number of the last restart of each service that it has done. */
  readonly restarts: Readonly<Record<string, number>>
}

/** A process that says nothing for so long is gone. */
const goneAfterMs = 5_000

type Connected = Pick<House, 'redis' | 'env'>

const keysOf = ({ env }: Pick<House, 'env'>) => ({ index: `${env.redisPrefix}:processes`, restarts: `${env.redisPrefix}:restarts` })
const factsKey = (house: Pick<House, 'env'>, id: string): string => `${keysOf(house).index}:${id}`

const beatScript = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[3])
  return redis.call('HGETALL', KEYS[3])`

/** Tells all that a process lives, and hears how often each service was to be restarted. */
export async function tellFacts(house: Connected, facts: ProcessFacts): Promise<Record<string, number>> {
  const { index, restarts } = keysOf(house)
  const answer = await house.redis.eval(beatScript, 3, factsKey(house, facts.id), index, restarts, facts.id, JSON.stringify(facts), goneAfterMs)
  const flat = answer as string[] // HGETALL answers fields and values by turns
  return Object.fromEntries(flat.flatMap((field, at) => (at % 2 === 0 ? [[field, Number(flat[at + 1])]] : [])))
}

/** Takes a process off the list before it would be missed. */
export async function forgetFacts(house: Connected, id: string): Promise<void> {
  await house.redis.multi().del(factsKey(house, id)).zrem(keysOf(house).index, id).exec()
}

/** Every live process, in the order of type, then age. */
export async function liveProcesses(house: Connected): Promise<ProcessFacts[]> {
  const ids = await house.redis.zrange(keysOf(house).index, '0', '-1')
  if (ids.length === 0) return []
  const texts = await house.redis.mget(ids.map((id) => factsKey(house, id)))
  const facts = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as ProcessFacts])) // written by tellFacts
  return facts.toSorted((a, b) => compare(a.type, b.type) || compare(a.startedAt, b.startedAt) || compare(a.id, b.id))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Asks every process to restart its part of a service; answers the number of this restart. */
export function askRestart(house: Connected, service: string): Promise<number> {
  return house.redis.hincrby(keysOf(house).restarts, service, 1)
}
