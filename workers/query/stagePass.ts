import { Problem } from '../../src/platform/errors.ts'
import type { BoundStage } from '../../src/query/bind.ts'
import { firstBatch, runPass } from '../../src/query/run.ts'
import type { Batch, Row } from '../../src/query/rows.ts'
import { fansOut } from '../../src/query/segments.ts'
import { finishPass } from '../../src/services/sirp/engine/passes.ts'
import { streamRows } from '../../src/services/sirp/engine/rowPages.ts'
import { governorOf } from '../../src/services/gonogo/governorOf.ts'
import { openOutside } from './outside/open.ts'
import { PolicyGate } from './outside/policyGate.ts'
import { PassWriter } from './passWriter.ts'
import type { QueryWork } from './queryWork.ts'
import type { OpenScratch } from './scratch.ts'
import { checkpointOf, keepCheckpoint, StageCommits } from './stageCommits.ts'

/** The stages of a pass, from the first to before the last. */
interface Range {
  readonly from: number
  readonly to: number
}

/** Runs neighbouring stages in one pass over their rows; answers whether the query is completed with it. */
export async function passStages(work: QueryWork, range: Range): Promise<boolean> {
  const { from, to } = range
  const planned = Array.from({ length: to - from }, (_, index) => work.planned(from + index))
  const writer = new PassWriter(work.engine.house, work.claimed, planned, (stage) => keeps(work, stage, to))
  const commits = new StageCommits()
  const scratch = work.engine.openScratch()
  try {
    await stream(work, range, writer, commits, scratch)
    return await end(work, range, writer, commits)
  } catch (error) {
    work.stage = writer.failedStage ?? from
    await writer.abandon()
    // In doubt whether the end was committed, what was prepared is left to the reaper.
    if (error instanceof Problem) await commits.undoAll().catch(() => undefined)
    throw error
  } finally {
    await scratch.close()
  }
}

async function stream(work: QueryWork, { from, to }: Range, writer: PassWriter, commits: StageCommits, scratch: OpenScratch): Promise<void> {
  const firsts = watchCheckpoints(work, { from, to }, commits)
  const { house, transport } = work.engine
  const { id, apiKeyId, requestId } = work.claimed
  const rows = runPass(work.stages.map(passable), { from, to, input: inputOf(work, from) }, {
    lookup: work.lookup((stage, message) => writer.warn(stage, message)),
    warn: (stage, message) => writer.warn(stage, message),
    signal: work.signal,
    outside: openOutside(house, transport, { queryId: id, apiKeyId, requestId, commits, gate: new PolicyGate(governorOf(house), `${id}-${from}`), secrets: work.secrets }),
    scratch,
    earlier: (stage) => work.rowsOf(stage),
    tap: (stage, batches) => writer.tap(stage, firsts.has(stage) ? noteFirst(batches, (row) => firsts.set(stage, row)) : batches),
  })
  await readOut(rows, work.signal)
}

/** Reads rows to their end, as long as nobody says to stop; answers how many there were. */
async function readOut(rows: AsyncIterable<Batch>, signal: AbortSignal): Promise<number> {
  let count = 0
  for await (const batch of rows) {
    count += batch.length
    signal.throwIfAborted()
  }
  return count
}

async function end(work: QueryWork, { from, to }: Range, writer: PassWriter, commits: StageCommits): Promise<boolean> {
  const { house } = work.engine
  const isGenerated = work.at(from).command.kind === 'generate'
  const { stages, chunks } = await writer.end(isGenerated ? 0 : (work.done.get(from - 1)?.rows ?? 0))
  const completed = to - 1 === work.last && !work.claimed.summary
  await finishPass(house, work.claimed, {
    stages,
    chunks,
    stagesCompleted: to,
    rows: writer.rowsOf(to - 1),
    completed,
    resultSet: completed ? writer.setOf(to - 1) : null,
    onlyLast: completed && work.keepsOnlyLast,
    isTold: !work.mayShowSecrets,
    cacheTtlS: house.env.cacheTtlS,
  }, commits.steps)
  for (const { stage, rowSet, rowsOut } of stages) work.done.set(stage, { rowSet, rows: rowsOut })
  return completed
}

/** Whether the rows of a stage are stored: all of them, or only those that the user, the next pass or a later stage will read. */
function keeps(work: QueryWork, stage: number, to: number): boolean {
  if (!work.keepsOnlyLast || stage === to - 1) return true
  return work.readBehind(to - 1).includes(stage)
}

/** A stage whose rows are made elsewhere, by jobs or by a query of their own, only passes on what it is given. */
function passable(stage: BoundStage): BoundStage {
  return fansOut(stage) || stage.command.name === 'runTemplate' ? { ...stage, command: { ...stage.command, run: (rows) => rows } } : stage
}

/** The rows that go into a stage. */
function inputOf(work: QueryWork, stage: number): AsyncIterable<Batch> {
  const { inputId, inputSet } = work.claimed
  const child = work.claimed.children.find((other) => other.stage === stage)
  if (child?.resultSet) return streamRows(work.engine.house.pool, child.resultSet)
  if (work.at(stage).command.kind === 'generate') return firstBatch()
  if (stage > 0) return work.rowsOf(stage - 1)
  if (inputId === null) return firstBatch()
  if (inputSet === null) throw new Problem('unprocessable', `The query ${inputId}, whose rows are the input, is gone.`)
  return streamRows(work.engine.house.pool, inputSet)
}

/** Prepares the checkpoints that stages of the pass ask for. */
function watchCheckpoints(work: QueryWork, { from, to }: Range, commits: StageCommits): Map<number, Row | undefined> {
  const firsts = new Map<number, Row | undefined>()
  for (let stage = from; stage < to; stage += 1) {
    const checkpoint = checkpointOf(work.at(stage).flags)
    if (!checkpoint) continue
    firsts.set(stage, undefined)
    commits.atEnd(keepCheckpoint(checkpoint, () => firsts.get(stage)))
  }
  return firsts
}

async function* noteFirst(batches: AsyncIterable<Batch>, note: (row: Row | undefined) => void): AsyncGenerator<Batch> {
  let noted = false
  for await (const batch of batches) {
    if (!noted && batch.length > 0) note(batch[0])
    noted ||= batch.length > 0
    yield batch
  }
}
