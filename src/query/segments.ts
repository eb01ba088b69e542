import type { BoundStage } from './bind.ts'

/** Neighbouring stages that are run together, from the first to before the last. */
export interface Segment {
  readonly from: number
  readonly to: number
  /** In one pass over the rows, by jobs of its own, or as a query of its own. */
  readonly runs: 'pass' | 'jobs' | 'query'
}

/** Whether a stage is run by jobs of its own, one for some of its input rows each. */
export function fansOut({ command, flags }: BoundStage): boolean {
  if (command.asOne?.(flags as never)) return false // bindStage read them with this command's own parameters
  return command.kind === 'expand' || command.each !== undefined
}

/** Whether a stage leaves something behind beside its rows; then all of them are read, also where the stage behind it wants only some. */
function leavesSomething({ command, flags }: BoundStage): boolean {
  return command.kind === 'sink' || flags['update'] === true || flags['checkpoint'] !== undefined
}

/** Most stages of one pass: each adds calls to the stack of the one behind it. */
export const maxPassStages = 200

/** How the stages of a query are run: neighbours in one pass, as far as no stage among them needs jobs of its own or must be read to its end. */
export function segmentsOf(stages: readonly BoundStage[]): Segment[] {
  const segments: (Segment & { to: number })[] = []
  for (const [index, stage] of stages.entries()) {
    const runs = fansOut(stage) ? 'jobs' : stage.command.name === 'runTemplate' ? 'query' : 'pass'
    const last = segments.at(-1)
    const before = stages[index - 1]
    const canJoin = last?.runs === 'pass' && runs === 'pass' && index - last.from < maxPassStages
    const joins = canJoin && stage.command.kind !== 'generate' && before && !leavesSomething(before)
    if (joins) last.to = index + 1
    else segments.push({ from: index, to: index + 1, runs })
  }
  return segments
}
