import type { Batch, Cell, Row } from '../../rows.ts'
import type { SpilledRun } from '../../scratch.ts'
import { bytesOfRow } from '../../spill/heldBytes.ts'
import { deeper, inPlace, mayPart, Partitions, type Beyond, type Placed } from '../../spill/partitions.ts'
import { marked } from './compareRows.ts'
import type { CellForm } from './frozenForm.ts'
import { FrozenRows } from './frozenRows.ts'
import { inPlacedBatches, numbered, withoutNumbers } from './placedRows.ts'

/** How rows are compared. */
export interface Comparison {
  /** The key of a row, in a form that takes little memory. */
  readonly keyOf: (row: Row) => Cell
  /** What cells are compared in. */
  readonly form: CellForm
  /** Whether rows that have not changed are told as well. */
  readonly all: boolean
}

/** The two sides of a comparison. */
interface Sides {
  readonly frozen: AsyncIterable<Placed[]>
  readonly fresh: AsyncIterable<Placed[]>
}

/** Frozen rows are numbered behind all new ones. */
const firstFrozen = 2 ** 50

/**
 * What became of rows: new ones in their order, then those that are only in `frozen` in theirs; of several rows of one key the first meets the first.
 * Frozen rows that fit into memory stay there and new ones stream past them. Else both sides go to disk with their numbers, parted by key,
 * and the parts are compared one by one: since the answers of each are in the order of their numbers, merging them brings back the order of all.
 */
export function diffRows(frozen: AsyncIterable<Batch>, fresh: AsyncIterable<Batch>, comparison: Comparison, beyond: Beyond): AsyncIterable<Batch> {
  return withoutNumbers(diffPlaced({ frozen: numbered(frozen, firstFrozen), fresh: numbered(fresh, 0) }, comparison, beyond))
}

async function* diffPlaced({ frozen, fresh }: Sides, comparison: Comparison, beyond: Beyond): AsyncGenerator<Placed[]> {
  const { keyOf, form } = comparison
  const { scratch, pace } = beyond
  const batches = frozen[Symbol.asyncIterator]()
  const rows = new FrozenRows(form)
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    for (const placed of next.value) rows.add(keyOf(placed[1]), placed)
    if (rows.bytes > scratch.memoryBytes / 2 && mayPart(beyond)) return yield* diffParted({ frozen: chained(rows, batches), fresh }, comparison, beyond)
    await pace.giveWay()
  }
  for await (const batch of fresh) {
    const met = meetAll(rows, batch, comparison)
    if (met.length > 0) yield met
    await pace.giveWay()
  }
  for (const batch of inPlacedBatches(rows.left())) yield batch.map(([place, row]): Placed => [place, marked(row, 'removed')])
}

function meetAll(rows: FrozenRows, batch: readonly Placed[], { keyOf, all }: Comparison): Placed[] {
  const met: Placed[] = []
  for (const [place, row] of batch) {
    const made = rows.meet(keyOf(row), row, all)
    if (made) met.push([place, made])
  }
  return met
}

async function* diffParted({ frozen, fresh }: Sides, comparison: Comparison, beyond: Beyond): AsyncGenerator<Placed[]> {
  const frozenParts = await parted(frozen, comparison, beyond)
  const freshParts = await parted(fresh, comparison, beyond)
  const works = frozenParts.map((part, at) => async function* (): AsyncGenerator<Placed[]> {
    const other = freshParts[at]
    yield* diffPlaced({ frozen: part?.read() ?? nothing(), fresh: other?.read() ?? nothing() }, comparison, deeper(beyond))
    await part?.drop()
    await other?.drop()
  })
  yield* inPlace(works, beyond)
}

async function parted(batches: AsyncIterable<Placed[]>, { keyOf }: Comparison, beyond: Beyond): Promise<(SpilledRun<Placed> | undefined)[]> {
  const parts = new Partitions<Placed>(beyond)
  for await (const batch of batches) {
    for (const placed of batch) parts.add(keyOf(placed[1]), placed, bytesOfRow(placed[1]))
    await parts.settle()
    await beyond.pace.giveWay()
  }
  return parts.numbered()
}

/** The rows that were read already, then those that are still to come. */
async function* chained(rows: FrozenRows, rest: AsyncIterator<Placed[]>): AsyncGenerator<Placed[]> {
  yield* inPlacedBatches(rows.left())
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

async function* nothing(): AsyncGenerator<never> {}
