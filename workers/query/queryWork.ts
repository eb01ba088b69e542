import { Problem } from '../../src/platform/errors.ts'
import type { BoundStage } from '../../src/query/bind.ts'
import { stageKeys } from '../../src/query/cacheKeys.ts'
import type { Value } from '../../src/query/expressions/ast.ts'
import type { Lookup } from '../../src/query/expressions/compile.ts'
import { shorten } from '../../src/query/fillShown.ts'
import { parseQuery } from '../../src/query/plan.ts'
import type { Batch } from '../../src/query/rows.ts'
import { labelsOf, referencedStages, stageNumber } from '../../src/query/stageReferences.ts'
import { templateTokens } from '../../src/query/templateFill.ts'
import type { ClaimedQuery } from '../../src/services/sirp/engine/claims.ts'
import { streamRows } from '../../src/services/sirp/engine/rowPages.ts'
import type { ClaimedUnit } from '../../src/services/sirp/engine/units.ts'
import type { StageWrite } from '../../src/services/sirp/engine/passes.ts'
import type { Engine } from './engine.ts'
import { UsedSecrets } from './outside/secrets.ts'
import type { PlannedStage } from './passWriter.ts'
import { loadResources, type Resources } from './resources.ts'

/** The rows of a stage that has ended. */
export interface DoneStage {
  readonly rowSet: string | null
  readonly rows: number
}

/** A query in the hands of its owner: its plan, and how far it is. */
export class QueryWork {
  readonly engine: Engine
  readonly claimed: ClaimedQuery
  readonly signal: AbortSignal
  readonly stages: readonly BoundStage[]
  readonly keys: readonly (string | null)[]
  readonly resources: Resources
  readonly done = new Map<number, DoneStage>()
  readonly secrets = new UsedSecrets()
  /** The stage at work, which is to blame when something fails. */
  stage = 0
  /** The first unit of the stage just handed over, where this job runs it itself. */
  ownUnit: ClaimedUnit | null = null

  constructor(engine: Engine, claimed: ClaimedQuery, signal: AbortSignal, stages: readonly BoundStage[], resources: Resources) {
    this.engine = engine
    this.claimed = claimed
    this.signal = signal
    this.stages = stages
    this.resources = resources
    resources.addSecretsTo(this.secrets)
    // Rows that stand in the query itself are made faster than kept ones are found.
    const isLiteral = stages.every(({ command }) => command.name === 'seed')
    const base = { known: claimed.known, input: claimed.inputSet }
    this.keys = isLiteral ? stages.map(() => null) : stageKeys(stages, base, resources.versionOf)
    for (const { stage, status, rowSet, rowsOut } of claimed.stages) if (status === 'completed') this.done.set(stage, { rowSet, rows: rowsOut })
  }

  get last(): number {
    return this.stages.length - 1
  }

  /** Whether only the rows of the last stage are kept at the end. */
  get keepsOnlyLast(): boolean {
    return this.claimed.mode === 'turbo' || this.claimed.cleanup
  }

  /** Whether a secret was used, or may itself be a row: of this query, or of one whose rows it takes. */
  get mayShowSecrets(): boolean {
    return !this.secrets.isEmpty || this.claimed.inputId !== null || this.stages.some(({ command: { name } }) => ['auth', 'oauth', 'runTemplate'].includes(name))
  }

  at(stage: number): BoundStage {
    const bound = this.stages[stage]
    if (!bound) throw new Error(`there is no stage ${stage}`)
    return bound
  }

  planned(stage: number): PlannedStage {
    const { command, flags, shownArgs, shownFlags } = this.at(stage)
    const label = flags['labelStage']
    return {
      stage,
      label: typeof label === 'string' ? label : null,
      command: command.name,
      kind: command.kind,
      args: shorten(shownArgs) as unknown[], // a list stays a list
      flags: shorten(shownFlags) as Record<string, unknown>, // and an object an object
      cacheKey: this.keys[stage] ?? null,
    }
  }

  /** A stage whose rows were made elsewhere. */
  adopted(stage: number, { rowSet, rows }: DoneStage, cached: boolean): StageWrite {
    return { ...this.planned(stage), rowSet, rowsIn: 0, rowsOut: rows, bytes: 0, ms: 0, cached, makesSet: false, warnings: [] }
  }

  /** The rows of a stage that has ended. */
  rowsOf(stage: number): AsyncIterable<Batch> {
    const set = this.done.get(stage)?.rowSet
    if (set === undefined || set === null) throw new Error(`the rows of stage ${stage} are not kept`)
    return streamRows(this.engine.house.pool, set)
  }

  /** The stages up to one whose rows stages behind it read again. */
  readBehind(stage: number): number[] {
    const labels = labelsOf(this.stages)
    const silent = { roles: new Map(), flags: {} }
    const behind = this.stages.map((bound, index) => (index > stage ? bound : { ...bound, ...silent }))
    return [...referencedStages(behind, labels)].filter((read) => read <= stage)
  }

  /** The stage whose rows `--appendStage` puts behind those of a stage. */
  appendedTo(stage: number): DoneStage | undefined {
    const name = this.at(stage).flags['appendStage']
    const number = typeof name === 'string' ? stageNumber(labelsOf(this.stages), name, stage) : undefined
    return number === undefined ? undefined : this.done.get(number)
  }

  /** What tokens stand for in the stages of a pass; each missing one is told once a stage. */
  lookup(warn: (stage: number, message: string) => void): (token: string, stage: number) => Value {
    const lookups = new Map<number, Lookup>()
    return (token, stage) => {
      const lookup = lookups.get(stage) ?? this.#lookupIn(stage, (message) => warn(stage, message))
      lookups.set(stage, lookup)
      return lookup(token)
    }
  }

  #lookupIn(stage: number, warn: (message: string) => void): Lookup {
    const known = templateTokens(this.claimed.known ?? {})
    const told = new Set<string>()
    return this.resources.lookup(this.engine.house.clock, this.at(stage).command.each !== undefined, (token) => {
      const value = known(token)
      if (value === undefined && !told.has(token)) warn(`there is no column ${token}`)
      told.add(token)
      return value ?? null
    })
  }
}

/** Reads the plan of a claimed query and what it needs. */
export async function openWork(engine: Engine, claimed: ClaimedQuery, signal: AbortSignal): Promise<QueryWork> {
  const { stages, faults } = parseQuery(claimed.query, templateTokens(claimed.known ?? {}))
  const [wrong] = faults
  if (wrong) throw new Problem('query_syntax', `This version does not understand the query: ${wrong.message}.`)
  return new QueryWork(engine, claimed, signal, stages, await loadResources(engine.house, stages, claimed.stages.length > 0 ? claimed.id : null))
}
