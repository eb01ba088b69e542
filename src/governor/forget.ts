import type { Redis } from '../platform/redis.ts'
import { keys } from './keys.ts'
import { Script } from './script.ts'

/**
 * Keys: line, due and late of a domain. Arguments: how the names of the holders begin.
 */
const forgetScript = new Script<number>(`
for _, key in ipairs(KEYS) do
  for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    if string.sub(member, 1, #ARGV[1]) == ARGV[1] then redis.call('ZREM', key, member) end
  end
end
return '1'`)

/** Gives up the places of all holders whose names begin so; where Redis is away they are lost by themselves, later. */
export function forgetHolders(redis: Redis, prefix: string, domain: string, begin: string): void {
  if (redis.status !== 'ready') return
  const names = [keys.line(domain), keys.due(domain), keys.late(domain)].map((key) => `${prefix}:${key}`)
  forgetScript.run(redis, names, [begin]).catch(() => undefined)
}
