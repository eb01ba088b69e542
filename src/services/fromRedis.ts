import { Problem } from '../platform/errors.ts'
import type { House } from './house.ts'

/** Asks what only Redis can answer; a 503 where it is away. */
export async function fromRedis<Answer>({ redis }: Pick<House, 'redis'>, ask: () => Promise<Answer>): Promise<Answer> {
  if (redis.status !== 'ready') throw away()
  try {
    return await ask()
  } catch (error) {
    // A command that was under way when the connection went fails in the words of its client.
    const isLost = error instanceof Error && /^(Connection is closed|Command timed out|Reached the max retries|Stream isn't writeable)/.test(error.message)
    throw isLost ? away(error) : error
  }
}

const away = (cause?: unknown): Problem => new Problem('unavailable', 'Redis is not reachable, so nothing is known of queues and processes now.', { retryAfterS: 1, cause })
