import { isMissingReference } from '../../src/platform/prisma/failures.ts'
import { findCached, type CachedRows } from '../../src/services/sirp/engine/cachedStages.ts'
import { finishPass } from '../../src/services/sirp/engine/passes.ts'
import { readPage } from '../../src/services/sirp/engine/rowPages.ts'
import type { Step } from '../../src/services/sirp/engine/settle.ts'
import { metersOf } from '../../src/services/workers/meters.ts'
import type { QueryWork } from './queryWork.ts'
import { checkpointOf, keepCheckpoint } from './stageCommits.ts'

/** Begins a query at the furthest stage whose rows an earlier query left; answers whether nothing is left to do. */
export async function useCache(work: QueryWork): Promise<boolean> {
  if (work.claimed.scheduled) return false
  const { house } = work.engine
  const found = await findCached(house, work.keys)
  const last = furthest(work, found)
  if (work.keys.some((key) => key !== null)) metersOf(house).cacheLooks.inc({ kind: 'stage', outcome: last < 0 ? 'miss' : 'hit' })
  if (last < 0) return false
  const completed = last === work.last && !work.claimed.summary
  const onlyLast = completed && work.keepsOnlyLast
  const stages = Array.from({ length: last + 1 }, (_, stage) => {
    const rowSet = onlyLast && stage < last ? null : (found[stage]?.setId ?? null)
    const rowsIn = work.at(stage).command.kind === 'generate' ? 0 : (found[stage - 1]?.rows ?? 0)
    return { ...work.adopted(stage, { rowSet, rows: found[stage]?.rows ?? 0 }, true), rowsIn, cacheKey: null }
  })
  const rows = found[last]?.rows ?? 0
  const resultSet = completed ? (found[last]?.setId ?? null) : null
  try {
    await finishPass(house, work.claimed, { stages, chunks: [], stagesCompleted: last + 1, rows, completed, resultSet, onlyLast: false, cacheTtlS: 0 }, await checkpointSteps(work, found.slice(0, last + 1)))
  } catch (error) {
    if (!isMissingReference(error)) throw error
    return false // the query that had made them was deleted meanwhile
  }
  for (const { stage, rowSet, rowsOut } of stages) work.done.set(stage, { rowSet, rows: rowsOut })
  return completed
}

/** A stage that was not run has succeeded too, and so leaves its checkpoint. */
async function checkpointSteps(work: QueryWork, found: readonly (CachedRows | null)[]): Promise<Step[]> {
  const steps: Step[] = []
  for (const [stage, cached] of found.entries()) {
    const checkpoint = checkpointOf(work.at(stage).flags)
    if (!checkpoint || !cached) continue
    const first = (await readPage(work.engine.house.pool, cached.setId, { offset: 0, limit: 1 }))?.rows[0]
    steps.push(keepCheckpoint(checkpoint, () => first))
  }
  return steps
}

/** The last stage with kept rows, as long as what the stages behind it read again is there too, and what checkpoints are made of, and what the query itself keeps. */
function furthest(work: QueryWork, found: readonly (CachedRows | null)[]): number {
  const needs = work.stages.flatMap(({ flags }, stage) => (flags['checkpoint'] === undefined ? [] : [stage]))
  const gap = work.keepsOnlyLast ? -1 : found.indexOf(null)
  for (let last = (gap < 0 ? found.length : gap) - 1; last >= 0; last -= 1) {
    if (found[last] && [...work.readBehind(last), ...needs.filter((stage) => stage < last)].every((stage) => found[stage])) return last
  }
  return -1
}
