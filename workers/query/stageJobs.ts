import { Problem } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import { giveBackQuery } from '../../src/services/sirp/engine/claims.ts'
import { fanOut } from '../../src/services/sirp/engine/fanOut.ts'
import { finishPass } from '../../src/services/sirp/engine/passes.ts'
import { readPage } from '../../src/services/sirp/engine/rowPages.ts'
import { settleStage } from '../../src/services/sirp/engine/settle.ts'
import type { QueryWork } from './queryWork.ts'
import { checkpointOf, keepCheckpoint } from './stageCommits.ts'

/** Units that a stage is divided into at least, so that several workers share it. */
const leastUnits = 32

/** Takes an expanding stage one step on: hands it to jobs, or ends it when they are through. Answers whether the query goes on now. */
export async function runByJobs(work: QueryWork, stage: number): Promise<boolean> {
  const begun = work.claimed.stages.find((other) => other.stage === stage)
  if (begun?.rowSet && begun.status === 'running') return begun.unitsLeft > 0 ? letGo(work) : settle(work, stage, begun.rowSet)
  const rows = await countInput(work, stage)
  if (rows === 0) return passEmpty(work, stage)
  const { label, kind } = work.planned(stage)
  const { name, queue = 'query', rowsPerJob = 1 } = work.at(stage).command
  const rowsPerUnit = Math.max(1, Math.min(rowsPerJob, Math.ceil(rows / leastUnits)))
  await fanOut(work.engine.house, work.claimed, { stage, label, command: name, kind, setId: newId(), queue, rows, rowsPerUnit })
  return false
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

/** A stage without input has nothing to run; rows that are to be appended it has nevertheless. */
async function passEmpty(work: QueryWork, stage: number): Promise<boolean> {
  const appended = work.appendedTo(stage)
  const rows = appended?.rows ?? 0
  const write = { ...work.adopted(stage, { rowSet: appended?.rowSet ?? newId(), rows }, false), makesSet: !appended, cacheKey: null }
  await finishPass(work.engine.house, work.claimed, { stages: [write], chunks: [], stagesCompleted: stage + 1, rows, completed: false, resultSet: null, onlyLast: false, cacheTtlS: 0 }, [])
  work.done.set(stage, { rowSet: write.rowSet, rows })
  return true
}

async function settle(work: QueryWork, stage: number, setId: string): Promise<boolean> {
  const { house } = work.engine
  const checkpoint = checkpointOf(work.at(stage).flags)
  const first = checkpoint ? (await readPage(house.pool, setId, { offset: 0, limit: 1 }))?.rows[0] : undefined
  const rows = await settleStage(house, work.claimed, {
    stage,
    setId,
    appendSet: work.appendedTo(stage)?.rowSet ?? null,
    cacheKey: work.keys[stage] ?? null,
    cacheTtlS: house.env.cacheTtlS,
    steps: checkpoint ? [keepCheckpoint(checkpoint, () => first)] : [],
  })
  work.done.set(stage, { rowSet: setId, rows })
  return true
}
