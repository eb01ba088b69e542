import type { Batch } from '../rows.ts'
import type { Scratch, SpilledRun } from '../scratch.ts'
import { batchBytes } from './heldBytes.ts'

/** Rows that a stage may hold in memory without a look at how large they are. */
export const fewRows = 10_000

/** Batches in their order, in memory up to the bound and on disk beyond it; they can be read several times, also while more are added. */
export class HeldBatches {
  readonly #scratch: Scratch
  readonly #runs: { readonly run: SpilledRun; readonly first: number; readonly end: number }[] = []
  #batches: Batch[] = []
  #bytes = 0
  /** The number of the first row in memory. */
  #first = 0
  #rows = 0

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  get rows(): number {
    return this.#rows
  }

  /** One batch at a time. */
  async add(batch: Batch): Promise<void> {
    this.#batches.push(batch)
    this.#rows += batch.length
    this.#bytes += batchBytes(batch)
    if (this.#bytes > this.#scratch.memoryBytes) await this.#spill()
  }

  /** What is held from one row on. */
  async *read(from = 0): AsyncGenerator<Batch> {
    let at = from
    while (at < this.#rows) {
      for await (const batch of this.#sourceOf(at)) {
        yield batch
        at += batch.length
      }
    }
  }

  /** Takes every batch of a stream. */
  async addAll(batches: AsyncIterable<Batch>): Promise<void> {
    for await (const batch of batches) await this.add(batch)
  }

  async drop(): Promise<void> {
    this.#batches = []
    this.#rows = 0
    for (const { run } of this.#runs) await run.drop()
  }

  async #spill(): Promise<void> {
    const run = await this.#scratch.open()
    const [batches, first, end] = [this.#batches, this.#first, this.#rows]
    for (const batch of batches) await run.write(batch)
    await run.end()
    this.#runs.push({ run, first, end })
    this.#batches = []
    this.#bytes = 0
    this.#first = end
  }

  #sourceOf(row: number): AsyncIterable<Batch> {
    const known = this.#runs.find(({ end }) => row < end)
    return known ? withoutFirst(known.run.read(), row - known.first) : withoutFirst(this.#inMemory(), row - this.#first)
  }

  /** Those that are in memory now; when they have gone to disk a reader goes on there. */
  async *#inMemory(): AsyncGenerator<Batch> {
    const batches = this.#batches
    for (let at = 0; at < batches.length && this.#batches === batches; at += 1) yield batches[at] ?? []
  }
}

async function* withoutFirst(batches: AsyncIterable<Batch>, rows: number): AsyncGenerator<Batch> {
  let left = rows
  for await (const batch of batches) {
    const kept = left === 0 ? batch : batch.slice(left)
    left = Math.max(0, left - batch.length)
    if (kept.length > 0) yield kept
  }
}
