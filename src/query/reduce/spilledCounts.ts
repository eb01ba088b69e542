import type { Cell } from '../rows.ts'
import { bytesOfCell } from '../spill/heldBytes.ts'
import { Partitions, type Beyond } from '../spill/partitions.ts'
import { Best, type Counted, type Counts } from './counts.ts'

type Item = readonly [column: number, place: number, value: Cell, count: number]

/** What is known of the values of one column. */
export interface Tally {
  readonly distinct: number
  readonly top: readonly Counted[]
}

/** Counts of the values of columns, which wait on disk when they do not fit into memory. */
export class SpilledCounts {
  readonly #beyond: Beyond
  #parts: Partitions<Item> | undefined

  constructor(beyond: Beyond) {
    this.#beyond = beyond
  }

  /** Takes the counts of all columns away where they take more than the bound. */
  async relieve(columns: readonly Counts[]): Promise<void> {
    const bytes = columns.reduce((sum, counts) => sum + counts.bytes, 0)
    if (bytes > this.#beyond.scratch.memoryBytes) await this.#takeAll(columns)
  }

  /** How many values differ in each column, and the most frequent ones. */
  async tally(columns: readonly Counts[], most: number): Promise<Tally[]> {
    if (!this.#parts) return columns.map((counts) => ({ distinct: counts.distinct, top: counts.top(most) }))
    await this.#takeAll(columns)
    const tallies = columns.map(() => ({ distinct: 0, best: new Best(most) }))
    for (const run of await this.#parts.end()) {
      const values = columns.map(() => new Map<Cell, Counted>())
      for await (const items of run.read()) {
        for (const [column, place, value, count] of items) addTo(values[column], { place, value, count })
        await this.#beyond.pace.giveWay()
      }
      await run.drop()
      for (const [column, tally] of tallies.entries()) {
        tally.distinct += values[column]?.size ?? 0
        for (const counted of values[column]?.values() ?? []) tally.best.offer(counted)
        await this.#beyond.pace.giveWay()
      }
    }
    return tallies.map(({ distinct, best }) => ({ distinct, top: best.sorted() }))
  }

  async #takeAll(columns: readonly Counts[]): Promise<void> {
    this.#parts ??= new Partitions(this.#beyond)
    let taken = 0
    for (const [column, counts] of columns.entries()) {
      for (const { place, value, count } of counts.take()) {
        this.#parts.add(value, [column, place, value, count], 64 + bytesOfCell(value))
        taken += 1
        if (taken % 1_000 > 0) continue
        await this.#parts.settle()
        await this.#beyond.pace.giveWay()
      }
    }
  }
}

function addTo(values: Map<Cell, Counted> | undefined, counted: Counted): void {
  const known = values?.get(counted.value)
  values?.set(counted.value, known ? { ...known, count: known.count + counted.count } : counted)
}
