import { createReadStream } from 'node:fs'
import { readRows } from '../../src/query/formats/readRows.ts'
import type { Outside } from '../../src/query/outside.ts'
import { parseQuery } from '../../src/query/plan.ts'
import { runStages } from '../../src/query/run.ts'
import { openScratch } from '../../workers/query/scratch.ts'

/** What one stage may hold in memory. */
const memoryBytes = 256 * 2 ** 20
const pieceBytes = 256 * 1024

interface Price {
  readonly shop: string
  readonly price: number
  readonly stock: number
  readonly active: boolean
}

/** The rows of a file through our stages, the first of which stands for the one that reads it. */
async function ourRows(file: string, dir: string, query: string): Promise<number> {
  const [first, ...others] = parseQuery(`range 1 || ${query}`).stages
  if (!first) throw new Error('the query has no stages')
  const reading = { ...first, command: { ...first.command, run: () => readRows('ndjson', createReadStream(file, { highWaterMark: pieceBytes })) } }
  const scratch = openScratch(dir, memoryBytes)
  const surroundings = { lookup: () => null, warn: () => undefined, signal: new AbortController().signal, outside: {} as Outside, scratch } // no stage reaches outside
  let rows = 0
  for await (const batch of runStages([reading, ...others], surroundings)) rows += batch.length
  await scratch.close()
  return rows
}

/** The same as one would write it for this file alone. */
async function handRows(file: string, name: string): Promise<number> {
  const kept: Price[] = []
  const groups = new Map<string, { count: number; sum: number; min: number; max: number }>()
  let rest = ''
  for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: pieceBytes })) {
    const texts = (rest + String(piece)).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const row = JSON.parse(text) as Price // rowsFile.ts wrote it
      if (!(row.price > 100 && row.active)) continue
      if (name === 'sort') kept.push(row)
      else gather(groups, row)
    }
  }
  kept.sort((a, b) => b.price - a.price)
  return kept.length + groups.size
}

function gather(groups: Map<string, { count: number; sum: number; min: number; max: number }>, { shop, price, stock }: Price): void {
  const group = groups.get(shop) ?? { count: 0, sum: 0, min: stock, max: stock }
  groups.set(shop, group)
  group.count += 1
  group.sum += price
  group.min = Math.min(group.min, stock)
  group.max = Math.max(group.max, stock)
}

const [, , who, file = '', ...rest] = process.argv
const start = performance.now()
const rows = who === 'ours' ? await ourRows(file, rest[0] ?? '', rest[1] ?? '') : await handRows(file, rest[0] ?? '')
process.stdout.write(JSON.stringify({ ms: performance.now() - start, rows, maxMiB: process.resourceUsage().maxRSS / 1024 }))
