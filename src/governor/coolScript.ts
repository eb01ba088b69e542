import { activeMs, longestCoolDownMs } from './bounds.ts'
import { Script } from './script.ts'

/**
 * Cools a domain down unless it cools longer already, and tells every process.
 *
 * Keys: cooling, active. Arguments: domain, milliseconds, channel.
 */
export const coolScript = new Script<number>(`
redis.call('ZADD', KEYS[1], 'GT', now + tonumber(ARGV[2]), ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('PEXPIRE', KEYS[2], ${activeMs})
redis.call('PEXPIRE', KEYS[1], ${longestCoolDownMs})
redis.call('PUBLISH', ARGV[3], ARGV[2] .. ' ' .. ARGV[1])
return '1'`)
