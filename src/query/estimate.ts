import type { BoundStage } from './bind.ts'
import { anyNumber, exactly, product, sum, type Bounds } from './bounds.ts'
import { hostIn } from './domains.ts'
import type { ParsedQuery } from './plan.ts'
import { fansOut } from './segments.ts'
import { labelsOf, stageNumber, type StageLabels } from './stageReferences.ts'

/** What one stage sends. */
export interface Sending {
  readonly requests: Bounds
  /** The host that all of it goes to; null where the text does not name one. */
  readonly host: string | null
}

/** What can be said of a query's work from its text alone, for a run that finds nothing in the cache. */
export interface Estimate {
  /** Rows that each stage makes. */
  readonly rows: readonly Bounds[]
  readonly requests: Bounds
  /** Jobs that the stages are divided into which run by jobs of their own. */
  readonly jobs: Bounds
  readonly sendings: readonly Sending[]
}

/** Follows the number of rows through the stages; cheap, and the same for the same text. */
export function estimateOf({ stages }: Pick<ParsedQuery, 'stages'>): Estimate {
  const labels = labelsOf(stages)
  const rows: Bounds[] = []
  const sendings: Sending[] = []
  let jobs = exactly(0)
  for (const [index, stage] of stages.entries()) {
    const input = rows[index - 1] ?? exactly(1) // the first stage runs once with an empty row
    rows.push(rowsOf(stage, input, rows, labels))
    jobs = sum(jobs, jobsOf(stage, input))
    sendings.push(...sendingsOf(stage, input))
  }
  return { rows, requests: sendings.reduce((all, { requests }) => sum(all, requests), exactly(0)), jobs, sendings }
}

function rowsOf(stage: BoundStage, input: Bounds, before: readonly Bounds[], labels: StageLabels): Bounds {
  const earlier = (name: string): Bounds => before[stageNumber(labels, name, before.length) ?? -1] ?? anyNumber
  const made = madeBy(stage, input, earlier)
  const kept = stage.flags['onError'] === 'skip' ? { ...made, least: 0 } : made
  const { appendStage } = stage.flags
  if (appendStage === undefined) return kept
  return sum(kept, typeof appendStage === 'string' ? earlier(appendStage) : anyNumber)
}

function madeBy({ command, args, flags, isLater, shownArgs: shown }: BoundStage, input: Bounds, earlier: (name: string) => Bounds): Bounds {
  if (!command.rows) return usual[command.kind](input)
  // bindStage read the values with this command's own parameters.
  return isLater ? anyNumber : command.rows(input, { args, flags, shown, earlier } as never)
}

/** How many rows come out of a command that does not say so itself. */
const usual: Readonly<Record<BoundStage['command']['kind'], (input: Bounds) => Bounds>> = {
  generate: () => anyNumber,
  map: (input) => input,
  reduce: ({ most }) => ({ least: 0, most }),
  expand: ({ most }) => (most === 0 ? exactly(0) : anyNumber),
  sink: (input) => input,
}

function jobsOf(stage: BoundStage, { least, most }: Bounds): Bounds {
  if (stage.command.name === 'runTemplate') return anyNumber
  if (!fansOut(stage)) return exactly(0)
  const { rowsPerJob = 1 } = stage.command
  return { least: Math.ceil(least / rowsPerJob), most } // how many it is divided into is decided by the workers that are there then
}

function sendingsOf(stage: BoundStage, input: Bounds): Sending[] {
  const each = requestsOf(stage)
  if (each.most === 0) return []
  const isOnce = stage.command.kind !== 'expand' && !fansOut(stage)
  const requests = product(isOnce ? { least: Math.min(1, input.least), most: input.most === 0 ? 0 : 1 } : input, each)
  return [{ requests, host: hostIn(stage) }]
}

/** Requests that one run of a stage sends: for each input row, or once where it runs once. */
function requestsOf({ command, args, flags, isLater }: BoundStage): Bounds {
  if (!command.requests) return command.kind === 'expand' ? { least: 1, most: null } : command.name === 'runTemplate' ? anyNumber : exactly(0)
  // bindStage read the values with this command's own parameters.
  return isLater ? anyNumber : command.requests({ args, flags } as never)
}
