import { resolve } from 'node:path'
import { parseQuery } from '../../src/query/plan.ts'
import type { Outside } from '../../src/query/outside.ts'
import type { Batch, Row } from '../../src/query/rows.ts'
import { runStages } from '../../src/query/run.ts'
import { collectRows } from '../../src/query/stream.ts'
import { openScratch } from '../../workers/query/scratch.ts'

/** How a query is run on batches that a test gives it. */
export interface Spilling {
  /** The rows of the first stages, each of which stands as `range 1` in the query. */
  readonly inputs: readonly (readonly Batch[])[]
  readonly memoryBytes: number
  readonly signal?: AbortSignal
}

/** The rows of a query, and how many runs it put on disk. */
export async function runSpilling(text: string, { inputs, memoryBytes, signal = AbortSignal.timeout(60_000) }: Spilling): Promise<{ rows: Row[]; runs: number }> {
  const stages = parseQuery(text).stages.map((stage, index) => {
    const given = inputs[index]
    return given ? { ...stage, command: { ...stage.command, run: () => streamOf(given) } } : stage
  })
  const scratch = openScratch(resolve('.data'), memoryBytes)
  let runs = 0
  const counted = {
    memoryBytes,
    open<Item>() {
      runs += 1
      return scratch.open<Item>()
    },
  }
  try {
    const rows = await collectRows(runStages(stages, { lookup: () => null, warn: () => undefined, signal, outside: {} as Outside, scratch: counted })) // no stage reaches outside
    return { rows, runs }
  } finally {
    await scratch.close()
  }
}

async function* streamOf(batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches
}

/** Rows in batches of a size. */
export function batchesOf(rows: readonly Row[], size: number): Batch[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
}
