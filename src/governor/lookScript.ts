import { Script } from './script.ts'
import { slotLua } from './slotLua.ts'

/** What Redis knows of one domain. */
export interface Looked {
  readonly now: number
  /** Slots held in each window that was asked for, in that order. */
  readonly held: readonly number[]
  readonly waiting: number
  readonly nextAt: number
  readonly coolUntil: number
}

/**
 * Looks at a domain and changes nothing.
 *
 * Keys: epoch, cooling, line, late, then the expirations of each limiter. Arguments: domain, then count and length of each window.
 */
export const lookScript = new Script<Looked>(slotLua, `
local cool = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0)
local hold = #KEYS > 4 and tonumber(redis.call('HGET', KEYS[1], 'hold') or 0) or 0
local earliest = math.max(now, cool, hold)
local at, held = earliest, {}
for i = 5, #KEYS do
  local window = windowOf(KEYS[i], tonumber(ARGV[i * 2 - 8]), tonumber(ARGV[i * 2 - 7]))
  held[#held + 1] = window.held
  if window.cap > 0 then at = math.max(at, slotAt(window, 0, earliest)) end
end
local waiting = redis.call('ZCARD', KEYS[3]) + redis.call('ZCARD', KEYS[4])
return cjson.encode({ now = now, held = held, waiting = waiting, nextAt = at, coolUntil = cool })`)
