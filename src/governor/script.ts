import { createHash } from 'node:crypto'
import type { Redis } from '../platform/redis.ts'

/** Reads the clock of Redis, which is the only one that all machines share. */
export const redisClock = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`

/** A Lua script that answers JSON; Redis runs it as one step. */
export class Script<Answer> {
  readonly #lua: string
  readonly #sha: string

  constructor(...parts: readonly string[]) {
    this.#lua = [redisClock, ...parts].join('\n')
    this.#sha = createHash('sha1').update(this.#lua).digest('hex')
  }

  async run(redis: Redis, keys: readonly string[], args: readonly (string | number)[]): Promise<Answer> {
    const rest = [...keys, ...args]
    const answer = await redis.evalsha(this.#sha, keys.length, ...rest).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error
      return redis.eval(this.#lua, keys.length, ...rest)
    })
    return JSON.parse(String(answer)) as Answer // each script states the shape of what it encodes
  }
}
