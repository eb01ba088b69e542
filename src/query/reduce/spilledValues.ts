import type { Pace } from '../pace.ts'
import type { Cell } from '../rows.ts'
import type { SpilledRun } from '../scratch.ts'
import { mergeSorted } from '../spill/mergeRuns.ts'
import type { Beyond } from '../spill/partitions.ts'
import { batchRows } from '../stream.ts'
import type { Aggregate } from './aggregates.ts'

type Numbered = readonly [group: number, cell: Cell]
type States = readonly (Aggregate | undefined)[]

/** The values of one column that did not fit into memory, in runs that are sorted by the number of the group and within it. */
export class SpilledValues {
  readonly #runs: SpilledRun<Numbered>[] = []
  readonly #beyond: Beyond

  constructor(beyond: Beyond) {
    this.#beyond = beyond
  }

  /** Takes the values of all groups, which stand in the order of their numbers. */
  async add(states: States): Promise<void> {
    const { scratch, pace } = this.#beyond
    const run = await scratch.open<Numbered>()
    for await (const items of takeAll(states, pace)) await run.write(items)
    await run.end()
    this.#runs.push(run)
  }

  /** What gives a group all its values back, to be asked for one group after the other; undefined where none were taken. */
  restoring(states: States): ((group: number) => Promise<void>) | undefined {
    const compare = states[0]?.values?.compare
    if (this.#runs.length === 0 || !compare) return undefined
    const sources = [...this.#runs.map((run) => run.read()), takeAll(states, this.#beyond.pace)]
    const merged = mergeSorted(sources, ([a, x], [b, y]) => a - b || compare(x, y), this.#beyond.pace)
    let items: readonly Numbered[] = []
    let at = 0
    return async (group) => {
      for (;;) {
        for (; at < items.length; at += 1) {
          const [number, cell] = items[at] ?? [group, null]
          if (number !== group) return
          states[group]?.values?.giveBack(cell)
        }
        const next = await merged.next()
        if (next.done) return
        items = next.value
        at = 0
      }
    }
  }
}

async function* takeAll(states: States, pace: Pace): AsyncGenerator<Numbered[]> {
  let items: Numbered[] = []
  for (const [group, state] of states.entries()) {
    for (const cell of (await state?.values?.take(pace)) ?? []) {
      items.push([group, cell])
      if (items.length < batchRows) continue
      yield items
      items = []
      await pace.giveWay()
    }
  }
  if (items.length > 0) yield items
}
