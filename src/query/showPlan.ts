import type { BoundStage } from './bind.ts'
import { commonFlags } from './commonFlags.ts'
import type { Param } from './params.ts'
import type { ParsedQuery } from './plan.ts'
import { segmentsOf, type Segment } from './segments.ts'
import { Places, type Place } from './text/place.ts'

/** One stage of a plan, as it is shown. */
export interface ShownStage {
  readonly stage: number
  readonly label?: string
  readonly command: string
  readonly kind: BoundStage['command']['kind']
  readonly args: unknown[]
  readonly flags: Record<string, unknown>
  readonly position: Place
  /** Neighbouring stages that run in the same pass. */
  readonly fusedWith?: number[]
}

/** The stages of a query that has no faults; `addFlags` fills in the defaults of flags that the text leaves out. */
export function showStages({ text, stages }: ParsedQuery, addFlags: boolean): ShownStage[] {
  const places = new Places(text)
  const segmentOf = segmentsOf(stages).flatMap((segment) => Array<Segment>(segment.to - segment.from).fill(segment))
  return stages.map((stage, index) => {
    const label = stage.flags['labelStage']
    const neighbours = neighboursIn(segmentOf[index], index)
    return {
      stage: index,
      ...(typeof label === 'string' ? { label } : {}),
      command: stage.command.name,
      kind: stage.command.kind,
      args: [...stage.shownArgs],
      flags: nest({ ...(addFlags ? defaultsOf(stage) : {}), ...stage.shownFlags }),
      position: places.of(stage.start, stage.end),
      ...(neighbours.length > 0 ? { fusedWith: neighbours } : {}),
    }
  })
}

function defaultsOf({ command }: BoundStage): Record<string, unknown> {
  const declared: Readonly<Record<string, Param>> = { ...commonFlags, ...command.flags }
  return Object.fromEntries(Object.entries(declared).filter(([, { fallback, repeatable }]) => fallback && !repeatable).map(([name, { fallback }]) => [name, fallback?.value]))
}

/** Most stages that are listed beside each of a long run; beyond it only those next to it are. */
const maxListed = 50

function neighboursIn(segment: Segment | undefined, index: number): number[] {
  if (!segment) return []
  const { from, to } = segment
  if (to - from > maxListed) return [index - 1, index + 1].filter((other) => other >= from && other < to)
  return Array.from({ length: to - from }, (_, offset) => from + offset).filter((other) => other !== index)
}

/** `credentials.oauth` becomes `{credentials: {oauth: …}}`; a name that is a value already keeps its dots. */
function nest(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nested = emptyRecord()
  for (const [name, value] of Object.entries(flags)) {
    const [first = name, ...steps] = name.split('.')
    const rest = steps.join('.')
    const inner = nested[first] ?? emptyRecord()
    if (rest === '' || !isRecord(inner)) nested[name] = value
    else {
      inner[rest] = value
      nested[first] = inner
    }
  }
  return nested
}

/** Without a prototype, so that every name is a field like any other. */
const emptyRecord = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
