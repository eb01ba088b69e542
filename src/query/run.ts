import type { BoundStage } from './bind.ts'
import type { StageContext } from './command.ts'
import { applyCommonFlags } from './commonStage.ts'
import type { Lookup } from './expressions/compile.ts'
import type { Value } from './expressions/ast.ts'
import { KeptBatches } from './keptBatches.ts'
import { settleAll } from './later.ts'
import { labelsOf, referencedStages, stageNumber } from './stageReferences.ts'
import type { Outside } from './outside.ts'
import type { Batch, Row } from './rows.ts'
import type { Scratch } from './scratch.ts'

/** Values of the tokens of one row: its columns first, then what the stage knows. */
export function rowLookup(row: Row, context: Pick<StageContext, 'lookup' | 'warn'>): Lookup {
  return (token) => {
    if (Object.hasOwn(row, token)) return row[token] ?? null
    if (token === 'ROW') return JSON.stringify(row)
    return context.lookup(token)
  }
}

/** The tokens that mean the same in every row; `missing` hears of the others. */
export function timeLookup(now: () => number, missing: (token: string) => Value): Lookup {
  return (token) => {
    if (token === 'TIMESTAMP' || token === 'TIMESTAMP.EPOCH') return now()
    if (token === 'TIMESTAMP.ISO') return new Date(now()).toISOString()
    return missing(token)
  }
}

/** What one pass over stages needs from its surroundings. */
export interface Surroundings {
  readonly lookup: Lookup
  readonly warn: (stage: number, message: string) => void
  readonly signal: AbortSignal
  readonly outside: Outside
  readonly scratch: Scratch
}

/** Runs stages that need no job of their own, one behind the other; a batch is handed on as soon as it is made. */
export function runStages(stages: readonly BoundStage[], surroundings: Surroundings): AsyncIterable<Batch> {
  const labels = labelsOf(stages)
  const wanted = referencedStages(stages, labels)
  const kept = new Map<number, KeptBatches>()
  let rows: AsyncIterable<Batch> = firstBatch()
  for (const [index, stage] of stages.entries()) {
    const context: StageContext = {
      lookup: surroundings.lookup,
      warn: (message) => surroundings.warn(index, message),
      rowsOf: (name) => keptOf(kept, stageNumber(labels, name, index), name).read(),
      signal: surroundings.signal,
      outside: surroundings.outside,
      scratch: surroundings.scratch,
    }
    const { run, name } = stage.command
    if (!run) throw new Error(`${name} needs a worker`)
    const flags = settleAll(stage.flags, context.lookup)
    rows = run(rows, { args: settleAll(stage.args, context.lookup), flags, context } as never) // bindStage read them with this command's own parameters
    rows = applyCommonFlags(rows, flags, context)
    if (!wanted.has(index)) continue
    const batches = new KeptBatches(rows)
    kept.set(index, batches)
    rows = batches.read()
  }
  return closing(rows, kept)
}

function keptOf(kept: ReadonlyMap<number, KeptBatches>, stage: number | undefined, name: string): KeptBatches {
  const found = stage === undefined ? undefined : kept.get(stage)
  if (!found) throw new Error(`the rows of stage ${name} are not kept: a stage can only be read by a parameter of the type stage, or by --appendStage`)
  return found
}

/** Kept stages outlive their readers, so they are closed when the last stage ends. */
async function* closing(rows: AsyncIterable<Batch>, kept: ReadonlyMap<number, KeptBatches>): AsyncGenerator<Batch> {
  try {
    yield* rows
  } finally {
    for (const batches of [...kept.values()].toReversed()) await batches.close()
  }
}

/** The first stage runs once with an empty row. */
async function* firstBatch(): AsyncGenerator<Batch> {
  yield [{}]
}
