import type { House } from '../house.ts'
import { resealAll } from '../reseal.ts'
import { reapContents } from '../sirp/cellar/reap.ts'

const dayMs = 24 * 3_600_000

/** Removes what has served its time, and seals anew what an earlier master key sealed; answers how much. */
export async function keepHouse(house: House): Promise<Record<string, number>> {
  const aDayAgo = new Date(house.clock() - dayMs)
  const answers = await house.db.idempotentRequest.deleteMany({ where: { createdAt: { lt: aDayAgo } } })
  const failures = await house.db.signInFailure.deleteMany({ where: { updatedAt: { lt: aDayAgo } } })
  const contents = await reapContents(house)
  const resealed = await resealAll(house)
  return { answers: answers.count, failures: failures.count, contents, resealed }
}
