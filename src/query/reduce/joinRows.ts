import { cellAt } from '../columns.ts'
import { setCell, type Batch, type Row } from '../rows.ts'
import { placedRows, plainRows, type Form } from '../spill/form.ts'
import { HeldBatches } from '../spill/heldBatches.ts'
import { batchBytes, bytesOfRow } from '../spill/heldBytes.ts'
import { deeper, inPlace, mayPart, Partitions, type Beyond, type Placed } from '../spill/partitions.ts'
import { batchRows } from '../stream.ts'
import { commonKey, JoinIndex } from './joinIndex.ts'

/** How rows of two stages are brought together. */
export interface Join {
  readonly type: 'inner' | 'left' | 'anti'
  readonly column: string
  readonly otherColumn: string
  /** Stands before names of the other stage that are taken already. */
  readonly prefix: string
}

/** The other stage's rows, which can be read several times. */
type Others = () => AsyncIterable<Row[]>

/** Joins rows with others; the key appears once, and null is equal to nothing. */
export async function* joinRows(batches: AsyncIterable<Batch>, others: Others, join: Join, beyond: Beyond): AsyncGenerator<Batch> {
  if (join.type === 'anti') return yield* joinItems(batches, others, new Map(), join, plainRows(), beyond)
  const held = new HeldBatches(beyond.scratch)
  const taken = new Set<string>()
  for await (const batch of batches) {
    addNames(batch, taken)
    await held.add(batch)
  }
  yield* joinItems(held.read(), others, await addedNames(taken, others, join), join, plainRows(), beyond)
  await held.drop()
}

async function* joinItems<Item>(
  items: AsyncIterable<Item[]>,
  others: Others,
  names: ReadonlyMap<string, string>,
  join: Join,
  form: Form<Item>,
  beyond: Beyond,
): AsyncGenerator<Item[]> {
  const index = await indexOf(others, join.otherColumn, beyond)
  if (index) return yield* withIndex(items, index, names, join, form)
  const [left, right] = await partBoth(items, others, join, form, beyond)
  const works = left.flatMap((run, at) => {
    const others = right[at]
    return run ? [() => joinItems(run.read(), () => others?.read() ?? nothing(), names, join, placedRows, deeper(beyond))] : []
  })
  for await (const made of inPlace(works, beyond)) yield made.map((item) => form.restored(item))
  for (const run of [...left, ...right]) await run?.drop()
}

/** Undefined where the rows do not fit into memory. */
async function indexOf(others: Others, column: string, beyond: Beyond): Promise<JoinIndex | undefined> {
  const index = new JoinIndex(column)
  let bytes = 0
  for await (const batch of others()) {
    for (const row of batch) index.add(row)
    bytes += batchBytes(batch) + batch.length * entryBytes
    if (bytes > beyond.scratch.memoryBytes && mayPart(beyond)) return undefined
    await beyond.pace.giveWay()
  }
  return index
}

const entryBytes = 80

async function* withIndex<Item>(
  items: AsyncIterable<Item[]>,
  index: JoinIndex,
  names: ReadonlyMap<string, string>,
  join: Join,
  form: Form<Item>,
): AsyncGenerator<Item[]> {
  for await (const some of items) {
    let made: Item[] = []
    for (const item of some) {
      for (const row of partnersOf(form.rowOf(item), index, names, join)) {
        made.push(form.restored([form.placed(item)[0], row]))
        if (made.length < batchRows) continue
        yield made
        made = []
      }
    }
    if (made.length > 0) yield made
  }
}

function* partnersOf(row: Row, index: JoinIndex, names: ReadonlyMap<string, string>, { type, column }: Join): Generator<Row> {
  const matches = index.find(cellAt(row, column))
  if (type === 'inner' || (type === 'left' && matches.length > 0)) for (const other of matches) yield joined(row, other, names)
  else if (matches.length === 0) yield row
}

type Parts<Item> = Awaited<ReturnType<Partitions<Item>['numbered']>>

/** Rows that may be partners lie in partitions of the same number. */
async function partBoth<Item>(
  items: AsyncIterable<Item[]>,
  others: Others,
  { column, otherColumn }: Join,
  form: Form<Item>,
  beyond: Beyond,
): Promise<[Parts<Placed>, Parts<Row>]> {
  const left = new Partitions<Placed>(beyond)
  for await (const some of items) {
    for (const item of some) left.add(commonKey(cellAt(form.rowOf(item), column)), form.placed(item), bytesOfRow(form.rowOf(item)))
    await left.settle()
    await beyond.pace.giveWay()
  }
  const right = new Partitions<Row>(beyond)
  for await (const batch of others()) {
    for (const row of batch) right.add(commonKey(cellAt(row, otherColumn)), row, bytesOfRow(row))
    await right.settle()
    await beyond.pace.giveWay()
  }
  return [await left.numbered(), await right.numbered()]
}

/** What the other stage's columns are called: decided for all rows at once, so that a column has one name. */
async function addedNames(taken: Set<string>, others: Others, { otherColumn, prefix }: Join): Promise<Map<string, string>> {
  const given = new Set<string>()
  for await (const batch of others()) addNames(batch, given)
  const names = new Map<string, string>()
  for (const name of given) {
    if (name === otherColumn) continue
    let free = name
    while (taken.has(free)) free = `${prefix}${free}`
    taken.add(free)
    names.set(name, free)
  }
  return names
}

function addNames(batch: Batch, names: Set<string>): void {
  for (const row of batch) for (const name of Object.keys(row)) names.add(name)
}

function joined(row: Row, other: Row, names: ReadonlyMap<string, string>): Row {
  const made = { ...row }
  for (const name of Object.keys(other)) {
    const added = names.get(name)
    if (added !== undefined) setCell(made, added, cellAt(other, name))
  }
  return made
}

async function* nothing(): AsyncGenerator<Row[]> {
  yield* []
}
