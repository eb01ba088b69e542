import { bindStage, type BoundStage } from './bind.ts'
import { checkReferences } from './checkReferences.ts'
import { findCommand, knownNames } from './commands/index.ts'
import { withPatternBudget } from './expressions/patterns.ts'
import type { KnownTokens } from './later.ts'
import { fault, maxFaults, quoted, tell, type Fault } from './text/fault.ts'
import { nearest } from './text/nearest.ts'
import { readSyntax, type Syntax, type ValuePiece } from './text/syntax.ts'

/** A query whose text has been understood as far as it can be; it may run only without faults. */
export interface ParsedQuery {
  readonly text: string
  readonly syntax: Syntax
  readonly stages: readonly BoundStage[]
  readonly faults: readonly Fault[]
}

/** Reads a query: its stages with their commands, arguments and flags, and everything that is wrong with it, in the order of the text. */
export function parseQuery(text: string, known: KnownTokens = () => undefined): ParsedQuery {
  return withPatternBudget(() => readQuery(text, known))
}

function readQuery(text: string, known: KnownTokens): ParsedQuery {
  const syntax = readSyntax(text)
  const unfit: Fault[] = []
  const bound = syntax.stages.map((written) => {
    const command = findCommand(written.name.text)
    if (!command) tell(unfit, () => unknownCommand(written.name))
    return command ? bindStage(command, written, unfit, known) : written
  })
  const stages = bound.filter((stage) => 'command' in stage)
  const faults = [...syntax.faults, ...unfit, ...checkReferences(syntax, bound)]
  return { text, syntax, stages, faults: faults.toSorted((a, b) => a.start - b.start || a.end - b.end).slice(0, maxFaults) }
}

function unknownCommand({ text, start, end }: ValuePiece): Fault {
  const hint = nearest(text, knownNames())
  return fault(start, end, `there is no command ${quoted(text)}`, { expected: 'a command', ...(hint ? { hint } : {}) })
}
