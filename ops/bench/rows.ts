import { execFile, type ExecFileException } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { fromChild } from './fromChild.ts'
import { compareTimes, type Bench, type Measured } from './measure.ts'
import { lines } from './rowsFile.ts'

const run = promisify(execFile)
const rowCount = 1_000_000
const memoryMiB = 1_024

/** One way over the same file: what our stages are asked, and what the other programs are. */
interface Task {
  readonly name: 'stats' | 'sort'
  readonly query: string
  readonly jq: readonly string[]
  readonly mlr: readonly string[]
}

const kept = "select(.price > 100 and .active)"
const tasks: readonly Task[] = [
  {
    name: 'stats',
    query: 'filter "price > 100 and active" || stats count sum(price) min(stock) max(stock) by shop',
    jq: ['-nc', `reduce (inputs | ${kept}) as $r ({}; .[$r.shop] |= {count: (.count + 1), sum: (.sum + $r.price), min: ([.min // $r.stock, $r.stock] | min), max: ([.max // 0, $r.stock] | max)})`],
    mlr: ['stats1', '-a', 'count,sum,min,max', '-f', 'price,stock', '-g', 'shop'],
  },
  { name: 'sort', query: 'filter "price > 100 and active" || sort price --order descending', jq: ['-nc', `[inputs | ${kept}] | sort_by(-.price)[]`], mlr: ['sort', '-nr', 'price'] },
]

/** Filters, gathers and sorts a million rows, beside a loop by hand and the programs that people use for it. */
export const benchRows: Bench = async () => {
  await mkdir(resolve('.data'), { recursive: true })
  const dir = await mkdtemp(resolve('.data', 'bench-'))
  try {
    const file = resolve(dir, 'rows.ndjson')
    await pipeline(lines(rowCount), createWriteStream(file))
    const results: Measured[] = []
    for (const task of tasks) results.push(...(await measure(task, file, dir)))
    return results
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function measure({ name, query, jq, mlr }: Task, file: string, dir: string): Promise<Measured[]> {
  const what = `filter and ${name} over 1 million rows`
  const child = (...args: string[]) => fromChild<Child>('rowsChild', args)
  await child('ours', file, dir, query) // so that both find the file in memory
  const ours = await child('ours', file, dir, query)
  const loop = await child('loop', file, name)
  if (ours.rows !== loop.rows) throw new Error(`the stages made ${ours.rows} rows, the loop ${loop.rows}`)
  const others = [await timed('jq', [...jq, file]), await timed('mlr', ['--ijsonl', '--ojsonl', 'filter', '$price > 100 && $active == true', 'then', ...mlr, file])]
  return [
    compareTimes(what, ours.ms, 'a loop by hand', loop.ms, 2),
    ...others.flatMap((other) => (other ? [compareTimes(what, ours.ms, other.program, other.ms, 1)] : [])),
    { what: `${what}: memory`, value: ours.maxMiB, beside: 'the bound of a worker', raw: memoryMiB, unit: 'MiB', ratio: ours.maxMiB / memoryMiB, reach: '≤ 1', reached: ours.maxMiB <= memoryMiB },
  ]
}

interface Child {
  readonly ms: number
  readonly rows: number
  readonly maxMiB: number
}

/** Undefined where the program is not installed, which is said. */
async function timed(program: string, args: readonly string[]): Promise<{ program: string; ms: number } | undefined> {
  const start = performance.now()
  try {
    await run(program, args, { maxBuffer: 2 ** 30 })
    return { program, ms: performance.now() - start }
  } catch (error) {
    if ((error as ExecFileException).code !== 'ENOENT') throw error
    process.stderr.write(`${program} is not installed, so the rows are not compared with it.\n`)
    return undefined
  }
}
