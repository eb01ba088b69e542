import type { BoundStage } from './bind.ts'
import { declaredBy, type Declared } from './declared.ts'
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
  const flagsOf = flagsShown(addFlags)
  return stages.map((stage, index) => {
    const label = stage.flags['labelStage']
    const neighbours = neighboursIn(segmentOf[index], index)
    return {
      stage: index,
      ...(typeof label === 'string' ? { label } : {}),
      command: stage.command.name,
      kind: stage.command.kind,
      args: [...stage.shownArgs],
      flags: flagsOf(stage),
      position: places.of(stage.start, stage.end),
      ...(neighbours.length > 0 ? { fusedWith: neighbours } : {}),
    }
  })
}

/** Shows the flags of stages; stages of one command that give none share one object, because a query may have very many of them. */
function flagsShown(addFlags: boolean): (stage: BoundStage) => Record<string, unknown> {
  const untouched = new Map<Declared, Record<string, unknown>>()
  return ({ command, shownFlags }) => {
    const declared = declaredBy(command)
    const defaults = addFlags ? declared.shownDefaults : {}
    if (Object.keys(shownFlags).length > 0) return nest(defaults, shownFlags)
    const shared = untouched.get(declared) ?? nest(defaults)
    untouched.set(declared, shared)
    return shared
  }
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
function nest(defaults: Readonly<Record<string, unknown>>, given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const nested = emptyRecord()
  const merged = Object.keys(defaults).map((name) => [name, Object.hasOwn(given, name) ? given[name] : defaults[name]] as const)
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(defaults, name))
  for (const [name, value] of [...merged, ...others]) {
    const dot = name.indexOf('.')
    const first = dot < 0 ? name : name.slice(0, dot)
    const rest = dot < 0 ? '' : name.slice(dot + 1)
    const inner = rest === '' ? null : (nested[first] ?? emptyRecord())
    if (!isRecord(inner)) nested[name] = value
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
