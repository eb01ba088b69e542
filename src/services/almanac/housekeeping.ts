import type { House } from '../house.ts'
import { resealAll } from '../reseal.ts'
import { reapContents } from '../sirp/cellar/reap.ts'

const dayMs = 24 * 3_600_000
/** How long the runs of schedules can be looked up. */
const runDays = 30

/** Removes what has served its time, and seals anew what an earlier master key sealed; answers how much. */
export async function keepHouse(house: House): Promise<Record<string, number>> {
  const aDayAgo = new Date(house.clock() - dayMs)
  const answers = await house.db.idempotentRequest.deleteMany({ where: { createdAt: { lt: aDayAgo } } })
  const failures = await house.db.signInFailure.deleteMany({ where: { updatedAt: { lt: aDayAgo } } })
  const runsBefore = new Date(house.clock() - runDays * dayMs)
  const runs = await house.db.scheduleRun.deleteMany({ where: { createdAt: { lt: runsBefore }, finishedAt: { not: null } } })
  const contents = await reapContents(house)
  const resealed = await resealAll(house)
  return { answers: answers.count, failures: failures.count, runs: runs.count, contents, resealed }
}
