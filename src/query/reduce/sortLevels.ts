import { cellAt, isPattern, pickColumns } from '../columns.ts'
import type { Batch, Row } from '../rows.ts'
import { compareCells } from './cellOrder.ts'
import { ValueKinds } from './valueKinds.ts'

/** A direction of sorting. */
export type Order = 'ascending' | 'descending'

/** A column to sort by, and in which direction. */
export interface SortColumn {
  readonly column: string
  readonly order: Order
}

/** One column that rows are compared by. */
export interface Level {
  readonly name: string
  readonly sign: 1 | -1
  readonly kinds: ValueKinds
}

/** How rows were compared at some time: for each column whether as numbers. */
export type Mark = ReadonlyMap<Level, boolean>

/** The columns that rows are compared by; how, is known only when all rows have been seen. */
export class SortLevels {
  readonly #columns: { readonly name: string; readonly sign: 1 | -1; readonly levels: Map<string, Level> }[]

  constructor(columns: readonly SortColumn[]) {
    this.#columns = columns.map(({ column, order }) => {
      const sign = order === 'ascending' ? 1 : -1
      return { name: column, sign, levels: isPattern(column) ? new Map<string, Level>() : new Map([[column, { name: column, sign, kinds: new ValueKinds() }]]) }
    })
  }

  see(batch: Batch): void {
    for (const { name, sign, levels } of this.#columns) {
      if (isPattern(name)) addLevels(batch, name, sign, levels)
      for (const level of levels.values()) if (!level.kinds.areSettled) for (const row of batch) level.kinds.add(cellAt(row, level.name))
    }
  }

  /** In the order in which they count. */
  get all(): Level[] {
    return this.#columns.flatMap(({ levels }) => [...levels.values()])
  }

  mark(): Mark {
    return new Map(this.all.map((level) => [level, level.kinds.areNumbers]))
  }

  /** Compares rows as it must be by what has been seen so far. */
  comparison(): (a: Row, b: Row) => number {
    const steps = this.all.map(({ name, sign, kinds }) => ({ name, sign, areNumbers: kinds.areNumbers }))
    return (a, b) => {
      for (const { name, sign, areNumbers } of steps) {
        const order = compareCells(cellAt(a, name), cellAt(b, name), areNumbers, sign)
        if (order !== 0) return order
      }
      return 0
    }
  }
}

/** Rows that lack a column which came later are equal in it, so what was sorted without it stays sorted. */
function addLevels(batch: Batch, pattern: string, sign: 1 | -1, levels: Map<string, Level>): void {
  const pick = pickColumns([pattern])
  for (const row of batch) for (const name of pick(row)) if (!levels.has(name)) levels.set(name, { name, sign, kinds: new ValueKinds() })
}

/** Whether rows that were sorted at the time of a mark would be compared in another way now. */
export function isStale(mark: Mark): boolean {
  for (const [{ kinds }, areNumbers] of mark) if (kinds.areNumbers !== areNumbers) return true
  return false
}
