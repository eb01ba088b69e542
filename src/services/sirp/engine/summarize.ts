import type { Summary } from '../../../contract/sirp/querySummary.ts'
import type { QueryStage } from '../../../platform/prisma/generated/client.ts'
import { asNumber } from '../../../query/expressions/values.ts'
import { Extreme } from '../../../query/reduce/extreme.ts'
import { Sum } from '../../../query/reduce/numbers.ts'
import { ValueKinds } from '../../../query/reduce/valueKinds.ts'
import type { Batch, Cell } from '../../../query/rows.ts'
import { CountBudget, ValueCounts } from './valueCounts.ts'

type ColumnSummary = Summary['columns'][number]
type StageSummary = Summary['stages'][number]

/** Most frequent values that are shown. */
const frequentValues = 10

/** What the rows of a query and its stages look like; memory stays bounded however many rows there are. */
export async function summarize(
  batches: AsyncIterable<Batch>,
  stages: readonly StageSummary[],
  budget = new CountBudget(),
): Promise<Omit<Summary, 'id'>> {
  const columns = new Map<string, Column>()
  let rows = 0
  for await (const batch of batches) {
    rows += batch.length
    for (const row of batch) {
      for (const name in row) {
        const known = columns.get(name) ?? new Column(budget)
        columns.set(name, known)
        known.add(row[name] ?? null)
      }
    }
  }
  return { rows, columns: Array.from(columns, ([name, column]) => column.summary(name)), stages: [...stages] }
}

type StageFacts = Pick<QueryStage, 'stage' | 'label' | 'command' | 'rowsIn' | 'rowsOut' | 'ms' | 'jobs' | 'retries' | 'bytes' | 'cacheHits'>

/** A stage as summaries show it. */
export function summarizeStage(row: StageFacts): StageSummary {
  const { stage, label, command, ms, jobs, retries, cacheHits } = row
  const counts = { rowsIn: Number(row.rowsIn), rowsOut: Number(row.rowsOut), bytes: Number(row.bytes) }
  return { stage, ...(label === null ? {} : { label }), command, ...counts, ms, jobs, retries, cacheHits }
}

/** The values of one column; null and empty text do not fill a cell, as in the command summarize. */
class Column {
  readonly #types = new Set<string>()
  readonly #kinds = new ValueKinds()
  readonly #least = new Extreme<null>('min')
  readonly #greatest = new Extreme<null>('max')
  readonly #sum = new Sum()
  readonly #counts: ValueCounts
  #numbers = 0

  constructor(budget: CountBudget) {
    this.#counts = new ValueCounts(budget)
  }

  add(cell: Cell): void {
    if (cell === null || cell === '') return
    if (this.#counts.add(cell)) this.#meet(cell)
    const number = asNumber(cell)
    if (number === null) return
    this.#sum.add(number)
    this.#numbers += 1
  }

  /** What a value says however often it comes. */
  #meet(cell: Cell): void {
    this.#types.add(typeof cell)
    this.#kinds.add(cell)
    this.#least.add(cell, null)
    this.#greatest.add(cell, null)
  }

  summary(column: string): ColumnSummary {
    const [type = 'null', ...others] = this.#types
    const mean = this.#kinds.areNumbers ? this.#sum.total / this.#numbers : NaN
    return {
      column,
      type: others.length > 0 ? 'mixed' : (type as ColumnSummary['type']), // a cell is text, a number or a boolean
      filled: this.#counts.total,
      distinct: this.#counts.distinct,
      min: this.#least.found()?.cell ?? null,
      max: this.#greatest.found()?.cell ?? null,
      mean: Number.isFinite(mean) ? mean : null,
      frequent: this.#counts.top(frequentValues),
    }
  }
}
