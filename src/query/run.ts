import type { BoundStage } from './bind.ts'
import type { StageContext } from './command.ts'
import { applyCommonFlags } from './commonStage.ts'
import type { Lookup } from './expressions/compile.ts'
import type { Value } from './expressions/ast.ts'
import { KeptBatches } from './keptBatches.ts'
import { settleAll } from './later.ts'
import { labelsOf, referencedStages, stageNumber } from './stageReferences.ts'
import type { Outside } from './outside.ts'
import { isOwnToken } from './ownTokens.ts'
import { Pace, paced } from './pace.ts'
import type { Batch, Row } from './rows.ts'
import type { Scratch } from './scratch.ts'
import { made } from './text/made.ts'
import { WholeBatches } from './wholeBatches.ts'

/** Values of the tokens of one row: the names that the language keeps for itself, which no row can take over, then its columns, then what the stage knows. */
export function rowLookup(row: Row, context: Pick<StageContext, 'lookup' | 'warn'>): Lookup {
  return (token) => {
    if (token === 'ROW') return made(JSON.stringify(row))
    return Object.hasOwn(row, token) && !isOwnToken(token) ? (row[token] ?? null) : context.lookup(token)
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
  /** What a token stands for that no row has, in one of the stages. */
  readonly lookup: (token: string, stage: number) => Value
  readonly warn: (stage: number, message: string) => void
  readonly signal: AbortSignal
  readonly outside: Outside
  readonly scratch: Scratch
  /** The rows of a stage that ran before this pass. */
  readonly earlier?: (stage: number) => AsyncIterable<Batch>
  /** Sees the rows of each stage on their way. */
  readonly tap?: (stage: number, rows: AsyncIterable<Batch>) => AsyncIterable<Batch>
}

/** The stages of one pass, and the rows that go into the first of them. */
export interface Pass {
  readonly from: number
  readonly to: number
  readonly input: AsyncIterable<Batch>
}

/** Runs stages that need no job of their own, one behind the other; a batch is handed on as soon as it is made. */
export function runStages(stages: readonly BoundStage[], surroundings: Surroundings): AsyncIterable<Batch> {
  return runPass(stages, { from: 0, to: stages.length, input: firstBatch() }, surroundings)
}

/** Runs some neighbouring stages of a query in one pass over their rows. */
export function runPass(stages: readonly BoundStage[], { from, to, input }: Pass, surroundings: Surroundings): AsyncIterable<Batch> {
  const labels = labelsOf(stages)
  const wanted = referencedStages(stages.slice(0, to), labels)
  const wantedBehind = referencedStages(stages, labels, to)
  const kept = new Map<number, KeptBatches>()
  const whole: WholeBatches[] = []
  const pace = new Pace(surroundings.signal)
  const rowsOf = (name: string, before: number): AsyncIterable<Batch> => {
    const number = stageNumber(labels, name, before)
    return number !== undefined && number < from && surroundings.earlier ? surroundings.earlier(number) : keptOf(kept, number, name).read()
  }
  let rows = input
  for (const [index, stage] of stages.slice(0, to).entries()) {
    if (index < from) continue
    const context: StageContext = {
      lookup: (token) => surroundings.lookup(token, index),
      warn: (message) => surroundings.warn(index, message),
      rowsOf: (name) => rowsOf(name, index),
      signal: surroundings.signal,
      outside: surroundings.outside,
      scratch: surroundings.scratch,
    }
    rows = paced(startStage(stage, rows, context), pace)
    if (surroundings.tap) rows = surroundings.tap(index, rows)
    if (wantedBehind.has(index)) {
      const batches = new WholeBatches(rows)
      whole.push(batches)
      rows = batches.read()
    }
    if (!wanted.has(index)) continue
    const batches = new KeptBatches(rows, surroundings.scratch)
    kept.set(index, batches)
    rows = batches.read()
  }
  return closing(rows, kept, whole)
}

/** The rows of one stage; what keeps it from starting is told to whoever asks for them, as a failure of this stage and no other. */
function startStage({ command: { run, name }, ...stage }: BoundStage, rows: AsyncIterable<Batch>, context: StageContext): AsyncIterable<Batch> {
  try {
    if (!run) throw new Error(`${name} needs a worker`)
    const flags = settleAll(stage.flags, context.lookup)
    const made = run(rows, { args: settleAll(stage.args, context.lookup), flags, context } as never) // bindStage read them with this command's own parameters
    return applyCommonFlags(made, flags, context)
  } catch (error) {
    return failing(error)
  }
}

// oxlint-disable-next-line require-yield -- it never comes to a row
async function* failing(error: unknown): AsyncGenerator<Batch> {
  throw error
}

function keptOf(kept: ReadonlyMap<number, KeptBatches>, stage: number | undefined, name: string): KeptBatches {
  const found = stage === undefined ? undefined : kept.get(stage)
  if (!found) throw new Error(`the rows of stage ${name} are not kept: a stage can only be read by a parameter of the type stage, or by --appendStage`)
  return found
}

/** Kept and whole stages outlive their readers, so they are closed when the last stage ends; the later ones first, as they read the others. */
async function* closing(rows: AsyncIterable<Batch>, kept: ReadonlyMap<number, KeptBatches>, whole: readonly WholeBatches[]): AsyncGenerator<Batch> {
  try {
    yield* rows
    for (const batches of whole.toReversed()) await batches.finish()
  } finally {
    for (const batches of [...kept.values()].toReversed()) await batches.close()
    for (const batches of whole.toReversed()) await batches.close()
  }
}

/** The first stage runs once with an empty row. */
export async function* firstBatch(): AsyncGenerator<Batch> {
  yield [{}]
}
