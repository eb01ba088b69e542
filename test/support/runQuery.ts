import { expect } from 'vitest'
import type { Outside } from '../../src/query/outside.ts'
import { parseQuery } from '../../src/query/plan.ts'
import type { Row } from '../../src/query/rows.ts'
import { runStages, timeLookup } from '../../src/query/run.ts'
import type { Scratch } from '../../src/query/scratch.ts'
import { collectRows } from '../../src/query/stream.ts'

/** These stages reach nothing outside. */
const outside = new Proxy({} as Outside, {
  get(_target, part) {
    throw new Error(`${String(part)} needs a worker`)
  },
})
const scratch: Scratch = { memoryBytes: 2 ** 26, open: () => Promise.reject(new Error('the disk needs a worker')) }

/** The rows and warnings of a query whose stages need no worker. */
export async function runQuery(text: string): Promise<{ rows: Row[]; warnings: string[] }> {
  const { stages, faults } = parseQuery(text)
  expect(faults, text).toEqual([])
  const warnings: string[] = []
  const warn = (_stage: number, message: string): void => void warnings.push(message)
  const lookup = timeLookup(Date.now, (token) => {
    warnings.push(`there is no column ${token}`)
    return null
  })
  const rows = await collectRows(runStages(stages, { lookup, warn, signal: AbortSignal.timeout(10_000), outside, scratch }))
  return { rows, warnings }
}

/** The rows of a query whose stages need no worker. */
export async function rowsOf(text: string): Promise<Row[]> {
  return (await runQuery(text)).rows
}
