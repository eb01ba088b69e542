import type { BoundStage } from './bind.ts'
import { declaredBy } from './declared.ts'
import { fault, maxFaults, quoted, tell, type Fault } from './text/fault.ts'
import { nearest } from './text/nearest.ts'
import type { Syntax, ValuePiece, WrittenStage } from './text/syntax.ts'

/** Checks that labels are unlike and that stages refer only to stages before them; a stage of an unknown command still has its number and label. */
export function checkReferences(syntax: Syntax, stages: readonly (BoundStage | WrittenStage)[]): Fault[] {
  const faults: Fault[] = []
  const labels = new Set<string>()
  // Where a stage could not be told apart, the numbers of those behind it are unknown.
  if (syntax.pieces.reduce((count, { kind }) => (kind === 'separator' ? count + 1 : count), 1) > stages.length) return faults
  for (const [index, stage] of stages.entries()) {
    if ('command' in stage) checkStage(stage, index, labels, faults)
    const label = labelOf(stage)
    if (label && labels.has(label.text)) tell(faults, () => labelledTwice(label))
    if (label) labels.add(label.text)
    if (faults.length >= maxFaults) break
  }
  return faults
}

function labelOf(stage: BoundStage | WrittenStage): ValuePiece | undefined {
  if ('command' in stage) {
    if (stage.flags['labelStage'] === undefined) return undefined
    for (const [piece, { name }] of stage.roles) if (name === 'labelStage' && piece.kind === 'value') return piece
    return undefined
  }
  const at = stage.rest.findIndex((piece) => piece.kind === 'flag' && piece.name.toLowerCase() === 'labelstage')
  const value = at < 0 ? undefined : stage.rest[at + 1]
  return value?.kind === 'value' ? value : undefined
}

function checkStage(stage: BoundStage, index: number, labels: ReadonlySet<string>, faults: Fault[]): void {
  if (stage.flags['appendStage'] === undefined && !declaredBy(stage.command).takesStage) return
  for (const [piece, { name, param }] of stage.roles) {
    if (piece.kind !== 'value' || (param?.type !== 'stage' && name !== 'appendStage')) continue
    if (labels.has(piece.text) || (name === 'appendStage' && piece.text === 'true' && index > 0)) continue
    if (/^\d{1,9}$/.test(piece.text) && Number(piece.text) < index) continue
    tell(faults, () => noSuchStage(piece, index, labels))
  }
}

function labelledTwice({ text, start, end }: ValuePiece): Fault {
  return fault(start, end, `two stages are labelled ${quoted(text)}`, { expected: 'a label of its own' })
}

const maxListed = 20

function noSuchStage({ text, start, end }: ValuePiece, index: number, labels: ReadonlySet<string>): Fault {
  const hint = nearest(text, labels)
  const numbers = index === 0 ? 'none, because this is the first stage' : index === 1 ? '0' : `0 to ${index - 1}`
  const expected = [...[...labels].slice(0, maxListed), numbers].join(', ')
  return fault(start, end, `there is no earlier stage ${quoted(text)}`, { expected, ...(hint ? { hint } : {}) })
}
