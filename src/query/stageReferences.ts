import type { BoundStage } from './bind.ts'
import { nameSaid } from './stageNeeds.ts'

/** The numbers of labelled stages. */
export type StageLabels = ReadonlyMap<string, number>

/** Reads the labels of stages once, for many references to them. */
export function labelsOf(stages: readonly BoundStage[]): StageLabels {
  return new Map(stages.flatMap(({ flags }, index) => (typeof flags['labelStage'] === 'string' ? [[flags['labelStage'], index] as const] : [])))
}

/** The number of the stage that a label, a number or `true` (the stage before) means, among those before a stage; labels go first. */
export function stageNumber(labels: StageLabels, name: string, before: number): number | undefined {
  const labelled = labels.get(name)
  if (labelled !== undefined && labelled < before) return labelled
  const number = name === 'true' ? before - 1 : /^\d{1,9}$/.test(name) ? Number(name) : -1
  return number >= 0 && number < before ? number : undefined
}

/** The stages whose rows a later stage reads again, one of those from a number on. */
export function referencedStages(stages: readonly BoundStage[], labels: StageLabels, from = 0): Set<number> {
  return new Set(stages.flatMap((stage, index) => (index < from ? [] : referencesOf(stage, index, labels))))
}

/** The numbers of the earlier stages that a stage reads, in the order in which it names them. */
export function referencesOf(stage: BoundStage, index: number, labels: StageLabels): number[] {
  return namesIn(stage).flatMap((name) => stageNumber(labels, name, index) ?? [])
}

function namesIn(stage: BoundStage): string[] {
  const { roles, flags } = stage
  const names = [...roles].flatMap(([piece, role]) => (piece.kind === 'value' && role.param?.type === 'stage' ? (nameSaid(stage, piece, role) ?? []) : []))
  return typeof flags['appendStage'] === 'string' ? [...names, flags['appendStage']] : names
}
