import { marginMs } from './bounds.ts'
import { Script } from './script.ts'

/**
 * Says of a slot in every window when it ends: a window and some milliseconds from now, or at once where it was not used.
 * Answers the new count of the epoch.
 *
 * Keys: epoch, then the expirations of each limiter. Arguments: slot, the milliseconds or `unused`, then the length of each window.
 */
export const settleScript = new Script<{ readonly id: string; readonly seq: number }>(`
for i = 2, #KEYS do
  local ends = ARGV[2] == 'unused' and 0 or now + tonumber(ARGV[i + 1]) + tonumber(ARGV[2]) + ${marginMs}
  redis.call('ZADD', KEYS[i], 'XX', ends, ARGV[1])
end
local id = redis.call('HGET', KEYS[1], 'id')
if not id then return cjson.encode({ id = '', seq = 0 }) end
return cjson.encode({ id = id, seq = redis.call('HINCRBY', KEYS[1], 'seq', 1) })`)
