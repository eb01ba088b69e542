import type { Operation } from '../contract/define.ts'
import { Problem } from '../platform/errors.ts'
import { isUnavailable } from '../platform/prisma/failures.ts'

/** A failure that takes longer is no lost connection but a database that is away: a second try would only keep its client waiting. */
const promptMs = 1_000

/** Whether an operation comes to the same when it runs twice: it changes nothing, or makes what it makes under an id that was drawn before. */
export const mayRunTwice = ({ method, pure, form }: Operation): boolean => method === 'GET' || pure === true || (method === 'POST' && !form)

/** Runs something, and once more where it has just lost its connection to the database; a pool learns of a dead one only by using it. */
export async function withSecondTry<Result>(run: (isSecond: boolean) => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  try {
    return await run(false)
  } catch (error) {
    if (!isUnavailable(error) || performance.now() - startedAt > promptMs) throw error
    return run(true).catch((second: unknown) => {
      // What stands in the way may be what the first try has done: whether it was, only a new request can tell.
      throw second instanceof Problem && second.code === 'conflict' ? error : second
    })
  }
}
