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
  const flagsOf = flagsShown(addFlags)
  const shown: ShownStage[] = []
  for (const segment of segmentsOf(stages)) {
    for (let index = segment.from; index < segment.to; index += 1) {
      const stage = stages[index]
      if (stage) shown.push(showStage(stage, index, { flags: flagsOf(stage), position: places.of(stage.start, stage.end) }, segment))
    }
  }
  return shown
}

function showStage({ command, flags, shownArgs }: BoundStage, index: number, more: Pick<ShownStage, 'flags' | 'position'>, segment: Segment): ShownStage {
  const label = flags['labelStage']
  const fusedWith = neighboursIn(segment, index)
  const shown: Shown = { stage: index, command: command.name, kind: command.kind, args: [...shownArgs], flags: more.flags, position: more.position }
  if (typeof label === 'string') shown.label = label
  if (fusedWith.length > 0) shown.fusedWith = fusedWith
  return shown
}

/** Its fields that may be missing are added one by one: a query may have very many stages, and copies cost. */
type Shown = ShownStage & { label?: string; fusedWith?: number[] }

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

function neighboursIn({ from, to }: Segment, index: number): number[] {
  const isLong = to - from > maxListed
  const first = isLong ? Math.max(from, index - 1) : from
  const end = isLong ? Math.min(to, index + 2) : to
  const neighbours: number[] = []
  for (let other = first; other < end; other += 1) if (other !== index) neighbours.push(other)
  return neighbours
}

/** `credentials.oauth` becomes `{credentials: {oauth: …}}`; a name that is a value already keeps its dots. */
function nest(defaults: Readonly<Record<string, unknown>>, given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const name of Object.keys(defaults)) put(nested, name, Object.hasOwn(given, name) ? given[name] : defaults[name])
  for (const name of Object.keys(given)) if (!Object.hasOwn(defaults, name)) put(nested, name, given[name])
  return nested
}

function put(nested: Record<string, unknown>, name: string, value: unknown): void {
  const dot = name.indexOf('.')
  const first = name.slice(0, Math.max(0, dot))
  const inner = dot < 0 ? null : (nested[first] ?? emptyRecord())
  if (!isRecord(inner)) nested[name] = value
  else {
    inner[name.slice(dot + 1)] = value
    nested[first] = inner
  }
}

/** Without a prototype, so that every name is a field like any other. */
const emptyRecord = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
