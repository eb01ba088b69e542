import { isUnavailable } from '../../platform/prisma/failures.ts'
import type { House } from '../house.ts'
import { dueSchedules, type DueSchedule } from './due.ts'
import { fireSchedule } from './fire.ts'
import { followRuns } from './follow.ts'

/**
 * Does all that is due, until nothing is left or the signal ends it; answers for how many schedules. Any number of processes may do
 * this at the same time: the database gives each slot to one of them.
 */
export async function tick(house: House, signal?: AbortSignal): Promise<number> {
  await followRuns(house)
  for (let total = 0; ; ) {
    let moved = 0
    for (const due of await dueSchedules(house)) {
      if (signal?.aborted) return total + moved
      if (await tryFire(house, due)) moved += 1
    }
    total += moved
    // What is due and does not move is in other hands, or waits for the next tick.
    if (moved === 0) return total
  }
}

/** A schedule that cannot be fired must not keep the others waiting. */
async function tryFire(house: House, due: DueSchedule): Promise<boolean> {
  try {
    return await fireSchedule(house, due)
  } catch (err) {
    if (isUnavailable(err)) throw err
    house.log.error({ err, target: due.id }, 'a schedule could not be run and is tried again')
    return false
  }
}
