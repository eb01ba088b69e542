import { isUnavailable } from '../../src/platform/prisma/failures.ts'

const tries = 3

/**
 * Gives work back that failed because the database could not be reached: that is no fault of the work, which another try may well end.
 * It may have been one lost connection, so it is tried more than once; while the database is away, the lease of the work runs out by itself.
 */
export async function withoutBlame(giveBack: () => Promise<void>): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      return await giveBack()
    } catch (error) {
      if (!isUnavailable(error)) throw error
    }
  }
}
