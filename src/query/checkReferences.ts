import type { BoundStage } from './bind.ts'
import { declaredBy, type Role } from './declared.ts'
import { nameSaid } from './stageNeeds.ts'
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

function labelOf(stage: BoundStage | WrittenStage): Named | undefined {
  if ('command' in stage) {
    if (stage.flags['labelStage'] === undefined) return undefined
    for (const [piece, role] of stage.roles) if (role.name === 'labelStage' && piece.kind === 'value') return namedBy(stage, piece, role)
    return undefined
  }
  const at = stage.rest.findIndex((piece) => piece.kind === 'flag' && piece.name.toLowerCase() === 'labelstage')
  const value = at < 0 ? undefined : stage.rest[at + 1]
  return value?.kind === 'value' ? value : undefined
}

function checkStage(stage: BoundStage, index: number, labels: ReadonlySet<string>, faults: Fault[]): void {
  if (stage.flags['appendStage'] === undefined && !declaredBy(stage.command).takesStage) return
  for (const [piece, role] of stage.roles) {
    if (piece.kind !== 'value' || (role.param?.type !== 'stage' && role.name !== 'appendStage')) continue
    const named = namedBy(stage, piece, role)
    if (!named || labels.has(named.text) || (role.name === 'appendStage' && named.text === 'true' && index > 0)) continue
    if (/^\d{1,9}$/.test(named.text) && Number(named.text) < index) continue
    tell(faults, () => noSuchStage(named, index, labels))
  }
}

/** A name with its place in the query. */
type Named = Pick<ValuePiece, 'text' | 'start' | 'end'>

/** The name that a value says; none where it is not known, which is a fault already. */
function namedBy(stage: BoundStage, piece: ValuePiece, role: Role): Named | undefined {
  const text = nameSaid(stage, piece, role)
  return text === null ? undefined : { text, start: piece.start, end: piece.end }
}

function labelledTwice({ text, start, end }: Named): Fault {
  return fault(start, end, `two stages are labelled ${quoted(text)}`, { expected: 'a label of its own' })
}

const maxListed = 20

function noSuchStage({ text, start, end }: Named, index: number, labels: ReadonlySet<string>): Fault {
  const hint = nearest(text, labels)
  const numbers = index === 0 ? 'none, because this is the first stage' : index === 1 ? '0' : `0 to ${index - 1}`
  const expected = [...[...labels].slice(0, maxListed), numbers].join(', ')
  return fault(start, end, `there is no earlier stage ${quoted(text)}`, { expected, ...(hint ? { hint } : {}) })
}
