import { Problem } from '../../src/platform/errors.ts'
import type { BoundStage } from '../../src/query/bind.ts'
import { commandKeys } from '../../src/query/cacheKeys.ts'
import type { Value } from '../../src/query/expressions/ast.ts'
import type { Lookup } from '../../src/query/expressions/compile.ts'
import { apart, readShown, shorten, type Shown } from '../../src/query/fillShown.ts'
import { hasLater, settleAll } from '../../src/query/later.ts'
import { parseQuery } from '../../src/query/plan.ts'
import type { Batch, Row } from '../../src/query/rows.ts'
import { rowLookup } from '../../src/query/run.ts'
import { templateTokens } from '../../src/query/templateFill.ts'
import { readPage } from '../../src/services/sirp/engine/rowPages.ts'
import type { ClaimedUnit } from '../../src/services/sirp/engine/units.ts'
import type { Engine } from './engine.ts'
import { UsedSecrets } from './outside/secrets.ts'
import { loadResources, type Resources } from './resources.ts'

/** One input row of a unit, with its call. */
export interface RowCall {
  readonly row: Row
  readonly index: number
  readonly lookup: Lookup
  readonly warnings: string[]
  /** As the record shows them. */
  readonly args: unknown[]
  readonly flags: Record<string, unknown>
  /** Under which the rows of the run may be used again; null where they may not. */
  readonly key: string | null
}

/** The arguments and flags of a call. */
type Values = [unknown[], Record<string, unknown>]

/** A unit in the hands of its owner: its stage, its input rows, and what they need. */
export class UnitWork {
  readonly unit: ClaimedUnit
  readonly stage: BoundStage
  readonly rows: readonly Row[]
  readonly secrets = new UsedSecrets()
  readonly #resources: Resources
  readonly #now: () => number
  readonly #isLater: boolean
  readonly #keyOf: ReturnType<typeof commandKeys>
  readonly #shown: Shown
  /** What keys are made of. */
  readonly #told: Shown
  readonly #known: (token: string) => Value | undefined

  constructor(unit: ClaimedUnit, stage: BoundStage, before: readonly BoundStage[], rows: readonly Row[], resources: Resources, now: () => number) {
    this.unit = unit
    this.stage = stage
    this.rows = rows
    this.#resources = resources
    this.#now = now
    resources.addSecretsTo(this.secrets)
    this.#keyOf = commandKeys(stage, before, resources.versionOf)
    this.#isLater = hasLater(stage.args) || hasLater(stage.flags)
    this.#shown = readShown([stage.shownArgs, stage.shownFlags])
    this.#told = readShown([stage.shownArgs, stage.shownFlags], apart)
    this.#known = templateTokens(unit.known ?? {})
  }

  /** The call for one row; a row's value stands for tokens only, and is never read as syntax. */
  callFor(row: Row, offset: number): RowCall {
    const warnings: string[] = []
    const lookup = rowLookup(row, {
      warn: (message) => void warnings.push(message),
      lookup: this.#resources.lookup(this.#now, true, (token) => {
        const value = this.#known(token)
        if (value === undefined) warnings.push(`there is no column ${token}`)
        return value ?? null
      }),
    })
    const [args, flags] = this.#shown(lookup) as Values // filled as what they are
    const key = this.#keyOf ? this.#keyFor(row, lookup, this.#keyOf) : null
    warnings.length = 0 // the run itself warns
    return { row, index: this.unit.firstRow + offset, lookup, warnings, args: shorten(args) as unknown[], flags: shorten(flags) as Record<string, unknown>, key }
  }

  #keyFor(row: Row, lookup: Lookup, keyOf: NonNullable<ReturnType<typeof commandKeys>>): string {
    const [args, flags] = this.#told(lookup) as Values // filled as what they are
    return keyOf({ args, flags, row })
  }

  /** Rows without the secrets that were used to get them; the two commands whose very rows are secrets answer them. */
  hideSecrets(rows: Batch): Batch {
    const { name } = this.stage.command
    return name === 'auth' || name === 'oauth' ? rows : this.secrets.hideIn(rows)
  }

  /** The values of a call; those that hold tokens and are needed before the first row are read for each row. */
  valuesFor({ lookup }: RowCall): { args: Record<string, unknown>; flags: Record<string, unknown> } {
    const { args, flags } = this.stage
    return this.#isLater ? { args: settleAll(args, lookup), flags: settleAll(flags, lookup) } : { args, flags }
  }
}

/** What becomes of the query where a run fails. */
export const onErrorOf = ({ stage }: UnitWork): string => String(stage.flags['onError'] ?? 'fail')

/** Reads the plan, the input rows and the stored things of a claimed unit. */
export async function openUnit({ house }: Engine, unit: ClaimedUnit): Promise<UnitWork> {
  const { stages, faults } = parseQuery(unit.query, templateTokens(unit.known ?? {}))
  const stage = stages[unit.stage]
  const [wrong] = faults
  if (wrong || !stage) throw new Problem('query_syntax', `This version does not understand the query: ${wrong?.message ?? 'a stage is missing'}.`)
  const [rows, resources] = await Promise.all([inputRows(house, unit), loadResources(house, [stage])])
  return new UnitWork(unit, stage, stages.slice(0, unit.stage), rows, resources, house.clock)
}

async function inputRows({ pool }: Engine['house'], { inputSet, firstRow, rowCount, stage }: ClaimedUnit): Promise<readonly Row[]> {
  if (inputSet === null) return stage === 0 ? [{}] : []
  const page = await readPage(pool, inputSet, { offset: firstRow, limit: rowCount })
  if (!page || page.rows.length < rowCount) throw new Problem('unprocessable', 'The rows that go into this stage are gone.')
  return page.rows
}
