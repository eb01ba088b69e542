import type { Pace } from '../pace.ts'
import type { Cell, Row } from '../rows.ts'
import type { Scratch, SpilledRun } from '../scratch.ts'
import { hashOf } from './hash.ts'
import { mergeSorted } from './mergeRuns.ts'

/** An item with a number that tells where its result belongs among the others. */
export type Placed<Item = Row> = [place: number, item: Item]

/** What work beyond memory needs of its stage. */
export interface Beyond {
  readonly scratch: Scratch
  readonly pace: Pace
  /** How often the rows have been parted already. */
  readonly level: number
}

const partitionCount = 32
/** Parting once more does not help when rows are not parted by now: they all have the same key. */
const deepest = 4
const flushItems = 500

/** Items on disk, parted by a key so that equal keys lie together. */
export class Partitions<Item> {
  readonly #beyond: Beyond
  readonly #parts: { items: Item[]; run?: SpilledRun<Item> }[] = Array.from({ length: partitionCount }, () => ({ items: [] }))
  #bytes = 0

  constructor(beyond: Beyond) {
    this.#beyond = beyond
  }

  /** Takes an item of about so many bytes; `settle` is to be called after some of them. */
  add(key: Cell, item: Item, bytes: number): void {
    this.#bytes += bytes
    this.#parts[hashOf(key, this.#beyond.level) % partitionCount]?.items.push(item)
  }

  /** Writes what has piled up. */
  async settle(): Promise<void> {
    const isFull = this.#bytes > this.#beyond.scratch.memoryBytes / 4
    if (isFull) this.#bytes = 0
    await this.#flush(isFull ? 1 : flushItems)
  }

  async #flush(least: number): Promise<void> {
    for (const part of this.#parts) {
      if (part.items.length < least) continue
      part.run ??= await this.#beyond.scratch.open<Item>()
      await part.run.write(part.items)
      part.items = []
    }
  }

  /** Ends the writing: the partitions that hold anything. */
  async end(): Promise<SpilledRun<Item>[]> {
    await this.#flush(1)
    const runs = this.#parts.flatMap(({ run }) => (run ? [run] : []))
    for (const run of runs) await run.end()
    return runs
  }

  /** Ends the writing: the partitions by their number; those that hold nothing are undefined. */
  async numbered(): Promise<(SpilledRun<Item> | undefined)[]> {
    await this.end()
    return this.#parts.map(({ run }) => run)
  }
}

/** Whether rows that are parted already may be parted once more. */
export const mayPart = ({ level }: Beyond): boolean => level < deepest

/** What each piece of work on one partition is given: more room is to be had by parting differently. */
export const deeper = (beyond: Beyond): Beyond => ({ ...beyond, level: beyond.level + 1 })

/** Puts the results of works, each in the order of its places, together in the order of all places; each work is done by itself. */
export async function* inPlace<Item>(works: readonly (() => AsyncIterable<Placed<Item>[]>)[], { scratch, pace }: Beyond): AsyncGenerator<Placed<Item>[]> {
  const results: SpilledRun<Placed<Item>>[] = []
  for (const work of works) {
    const result = await scratch.open<Placed<Item>>()
    for await (const items of work()) {
      await result.write(items)
      await pace.giveWay()
    }
    await result.end()
    results.push(result)
  }
  yield* mergeSorted(results.map((result) => result.read()), ([a], [b]) => a - b, pace)
  for (const result of results) await result.drop()
}

/** Works on each partition by itself, and gives its room back afterwards. */
export function eachPartition<Item, Result>(
  runs: readonly SpilledRun<Item>[],
  work: (items: AsyncIterable<Item[]>) => AsyncIterable<Result[]>,
): (() => AsyncGenerator<Result[]>)[] {
  return runs.map((run) => async function* () {
    yield* work(run.read())
    await run.drop()
  })
}
