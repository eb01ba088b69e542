import { resolve } from 'node:path'
import { expect } from 'vitest'
import type { Outside } from '../../src/query/outside.ts'
import { parseQuery } from '../../src/query/plan.ts'
import type { Row } from '../../src/query/rows.ts'
import { runStages, timeLookup, type Surroundings } from '../../src/query/run.ts'
import { collectRows } from '../../src/query/stream.ts'
import { openScratch } from '../../workers/query/scratch.ts'

/** These stages reach nothing outside. */
const outside = new Proxy({} as Outside, {
  get(_target, part) {
    throw new Error(`${String(part)} needs a worker`)
  },
})

/** What a test gives to the stages that it runs. */
export type GivenSurroundings = Partial<Pick<Surroundings, 'outside' | 'scratch' | 'signal'>>

/** The rows and warnings of a query whose stages need no worker, or only what is given. */
export async function runQuery(text: string, given: GivenSurroundings = {}): Promise<{ rows: Row[]; warnings: string[] }> {
  const { stages, faults } = parseQuery(text)
  expect(faults, text).toEqual([])
  const warnings: string[] = []
  const warn = (_stage: number, message: string): void => void warnings.push(message)
  const lookup = timeLookup(Date.now, (token) => {
    warnings.push(`there is no column ${token}`)
    return null
  })
  const scratch = openScratch(resolve('.data'), 2 ** 26)
  try {
    const rows = await collectRows(runStages(stages, { lookup, warn, signal: AbortSignal.timeout(10_000), outside, scratch, ...given }))
    return { rows, warnings }
  } finally {
    await scratch.close()
  }
}

/** The rows of a query whose stages need no worker. */
export async function rowsOf(text: string): Promise<Row[]> {
  return (await runQuery(text)).rows
}
