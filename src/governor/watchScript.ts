import { epochLua, type Epoch } from './epochScript.ts'
import { Script } from './script.ts'

/** What every process looks at now and then, whether it sends anything or not. */
export interface Watched {
  readonly epoch: Epoch
  /** Domain and remaining milliseconds, in turn. */
  readonly cooling: readonly (string | number)[]
}

const mostCooling = 5_000

/** Keys: epoch, cooling. Arguments: seen epoch and count, a fresh epoch. */
export const watchScript = new Script<Watched>(epochLua, `
local epoch = epochOf(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local cooling = redis.call('ZREVRANGE', KEYS[2], 0, ${mostCooling - 1}, 'WITHSCORES')
for i = 2, #cooling, 2 do cooling[i] = tonumber(cooling[i]) - now end
return cjson.encode({ epoch = epoch, cooling = cooling })`)
