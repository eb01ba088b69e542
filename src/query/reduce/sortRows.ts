import type { Pace } from '../pace.ts'
import type { Batch, Row } from '../rows.ts'
import type { Scratch, SpilledRun } from '../scratch.ts'
import { batchBytes } from '../spill/heldBytes.ts'
import { mergeSorted } from '../spill/mergeRuns.ts'
import { batchRows } from '../stream.ts'
import { comparePlaces } from './sortKeys.ts'
import { isStale, SortLevels, type Mark, type SortColumn } from './sortLevels.ts'
import { sortPlaces } from './sortPlaces.ts'

/** Runs that are merged at once: each needs an open file and some memory. */
const mostRuns = 64

/** Sorts rows by columns; equal rows keep their order, and nulls are last whatever the order is. What does not fit into memory waits on disk, sorted. */
export async function* sortRows(batches: AsyncIterable<Batch>, columns: readonly SortColumn[], scratch: Scratch, pace: Pace): AsyncGenerator<Batch> {
  const levels = new SortLevels(columns)
  const runs = new SortedRuns(levels, scratch, pace)
  let rows: Row[] = []
  let bytes = 0
  for await (const batch of batches) {
    levels.see(batch)
    for (const row of batch) rows.push(row)
    bytes += batchBytes(batch)
    if (bytes <= scratch.memoryBytes) continue
    await runs.add(rows, bytes)
    rows = []
    bytes = 0
  }
  yield* runs.isEmpty ? sorted(rows, levels, pace) : runs.merged(rows)
}

async function* sorted(rows: readonly Row[], levels: SortLevels, pace: Pace, size = batchRows): AsyncGenerator<Batch> {
  const places = await sortPlaces(rows.length, comparePlaces(rows, levels.all), pace)
  for (let at = 0; at < places.length; at += size) {
    const batch: Batch = []
    for (const place of places.subarray(at, at + size)) batch.push(rows[place] ?? {})
    yield batch
  }
}

interface SortedRun {
  readonly run: SpilledRun
  readonly mark: Mark
}

/** Rows on disk in sorted runs, of which each holds what came before those of the next. */
class SortedRuns {
  readonly #levels: SortLevels
  readonly #scratch: Scratch
  readonly #pace: Pace
  #runs: SortedRun[] = []
  /** Rows that a batch holds: fewer where they are large. */
  #size = batchRows

  constructor(levels: SortLevels, scratch: Scratch, pace: Pace) {
    this.#levels = levels
    this.#scratch = scratch
    this.#pace = pace
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  async add(rows: readonly Row[], bytes: number): Promise<void> {
    this.#size = Math.max(1, Math.min(this.#size, Math.ceil((rows.length * this.#scratch.memoryBytes) / (8 * bytes))))
    this.#runs.push(await this.#write(sorted(rows, this.#levels, this.#pace, this.#size)))
    if (this.#runs.length >= mostRuns) this.#runs = [await this.#write(this.#merge([]))]
  }

  /** All rows, together with the last ones, which are in memory. */
  async *merged(rows: readonly Row[]): AsyncGenerator<Batch> {
    yield* this.#merge(rows.length > 0 ? [sorted(rows, this.#levels, this.#pace, this.#size)] : [])
  }

  async *#merge(last: readonly AsyncIterable<Batch>[]): AsyncGenerator<Batch> {
    const runs: SpilledRun[] = []
    for (const { run, mark } of this.#runs) runs.push(isStale(mark) ? await this.#again(run) : run)
    yield* mergeSorted([...runs.map((run) => run.read()), ...last], this.#levels.comparison(), this.#pace, this.#size)
    for (const run of runs) await run.drop()
  }

  async #write(batches: AsyncIterable<Batch>): Promise<SortedRun> {
    const mark = this.#levels.mark()
    const run = await this.#scratch.open()
    for await (const batch of batches) {
      await run.write(batch)
      await this.#pace.giveWay()
    }
    await run.end()
    return { run, mark }
  }

  /** Sorts a run anew, as it was sorted before all kinds of values had been seen. */
  async #again(stale: SpilledRun): Promise<SpilledRun> {
    const rows: Row[] = []
    for await (const batch of stale.read()) for (const row of batch) rows.push(row)
    await stale.drop()
    const { run } = await this.#write(sorted(rows, this.#levels, this.#pace, this.#size))
    return run
  }
}
