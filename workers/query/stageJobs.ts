import { randomInt } from 'node:crypto'
import { Problem } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import { giveBackQuery } from '../../src/services/sirp/engine/claims.ts'
import { fanOut } from '../../src/services/sirp/engine/fanOut.ts'
import { readPage } from '../../src/services/sirp/engine/rowPages.ts'
import type { ClaimedUnit } from '../../src/services/sirp/engine/units.ts'
import { settleStage, type Settling } from '../../src/services/sirp/engine/settle.ts'
import { countProcesses, shareUnits } from './shareUnits.ts'
import type { QueryWork } from './queryWork.ts'
import { shapeOf } from './rowRun.ts'
import { checkpointOf, keepCheckpoint } from './stageCommits.ts'
import { passStages } from './stagePass.ts'

/** Takes an expanding stage one step on: hands it to jobs, or ends it when they are through. Answers whether the query goes on now. */
export async function runByJobs(work: QueryWork, stage: number): Promise<boolean> {
  const begun = work.claimed.stages.find((other) => other.stage === stage)
  if (begun?.rowSet && begun.status === 'running') return begun.unitsLeft > 0 ? letGo(work) : settle(work, stage, begun.rowSet)
  const rows = await countInput(work, stage)
  // Without input there is nothing to run; rows that are to be appended there may be nevertheless.
  if (rows === 0) return !(await passStages(work, { from: stage, to: stage + 1 }))
  const { label, kind } = work.planned(stage)
  const { name, queue = 'query', rowsPerJob = 1 } = work.at(stage).command
  const { house } = work.engine
  const inTurn = queue === 'browser' // the rows of a unit share one page
  const rowsAtOnce = inTurn ? house.env.browserConcurrency : house.env.fetchConcurrency
  const share = shareUnits({ rows, rowsPerJob, rowsAtOnce, inTurn, processes: await countProcesses(house, queue) })
  const own = queue === 'query' && !work.engine.fetches.isCrowded ? ownUnit(work, stage, Math.min(rows, share.rowsPerUnit)) : null
  const setId = own?.setId ?? newId()
  await fanOut(house, work.claimed, { stage, label, command: name, kind, setId, queue, rows, ...share, ownFence: own?.fence ?? null })
  work.ownUnit = own
  return false
}

/** The first unit of a stage, claimed as it is made: the job that hands the stage over need not wait for another to begin. */
function ownUnit({ claimed, done }: QueryWork, stage: number, rowCount: number): ClaimedUnit {
  const { id: queryId, apiKeyId, requestId, query, known, scheduled } = claimed
  const inputSet = stage === 0 ? claimed.inputSet : (done.get(stage - 1)?.rowSet ?? null)
  const mine = { fence: randomInt(1, 1_000), claims: 1, setId: newId(), inputSet, waited: false, hasJob: false }
  return { queryId, stage, firstRow: 0, rowCount, apiKeyId, requestId, query, known, scheduled, ...mine }
}

/** Leaves a query to those who work on its parts. */
export async function letGo(work: QueryWork): Promise<false> {
  await giveBackQuery(work.engine.house, work.claimed)
  return false
}

async function countInput(work: QueryWork, stage: number): Promise<number> {
  const { inputId, inputSet } = work.claimed
  if (stage > 0) return work.done.get(stage - 1)?.rows ?? 0
  if (inputId === null) return 1 // an expanding command as the first stage runs once with an empty row
  const page = inputSet === null ? null : await readPage(work.engine.house.pool, inputSet, { offset: 0, limit: 1 })
  if (!page) throw new Problem('unprocessable', `The query ${inputId}, whose rows are the input, is gone.`)
  return page.total
}

async function settle(work: QueryWork, stage: number, setId: string): Promise<boolean> {
  const { house } = work.engine
  const checkpoint = checkpointOf(work.at(stage).flags)
  const first = checkpoint ? (await readPage(house.pool, setId, { offset: 0, limit: 1 }))?.rows[0] : undefined
  // A summary reads the rows once more before the query is completed.
  const completes = stage === work.last && !work.claimed.summary
  const rows = await settleStage(house, work.claimed, {
    stage,
    setId,
    append: appendedTo(work, stage),
    cacheKey: work.keys[stage] ?? null,
    cacheTtlS: house.env.cacheTtlS,
    steps: checkpoint ? [keepCheckpoint(checkpoint, () => first)] : [],
    completes: completes ? { dropBefore: work.keepsOnlyLast ? work.last : 0 } : null,
  })
  work.done.set(stage, { rowSet: setId, rows })
  return !completes
}

/** The rows that `--appendStage` puts behind those of a stage, and what its other flags ask of them. */
function appendedTo(work: QueryWork, stage: number): Settling['append'] {
  const { flags } = work.at(stage)
  const setId = work.appendedTo(stage)?.rowSet
  return setId ? { setId, shape: flags['guid'] === true || flags['table'] !== undefined ? shapeOf(flags) : null } : null
}
