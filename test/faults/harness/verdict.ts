import pg from 'pg'
import type { Call } from '../../../src/client/index.ts'
import type { Ledger } from './ledger.ts'
import type { Site } from './site.ts'
import { taskFile, type Task } from './tasks.ts'

/** What came of a run, told from the ledger, the states, the results and the site alone. */
export interface Verdict {
  /** Accepted, and not completed in the end. */
  readonly lost: string[]
  /** Tasks with other rows than they must have, or with more than one query. */
  readonly wrong: string[]
  /** Numbers that are not in the cellar file exactly once. */
  readonly misfrozen: number[]
  /** The greatest number of hits of any path that must be asked for once, and all hits beyond the first. */
  readonly mostHits: number
  readonly repeats: number
  /** Paths that were never asked for. */
  readonly unasked: string[]
  /** Seconds from dispatch to end that 95 of 100 queries stayed below. */
  readonly p95S: number
}

interface Ended {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly seconds: number
}

/** What a verdict is told from. */
export interface Judged {
  readonly ledger: Ledger
  readonly site: Site
  readonly databaseUrl: string
  readonly call: Call
}

/** Judges a run that has come to rest. */
export async function judge({ ledger, site, databaseUrl, call }: Judged, tasks: readonly Task[]): Promise<Verdict> {
  const accepted = ledger.read()
  const ended = await statesOf(databaseUrl)
  const taken = tasks.filter(({ name }) => accepted.has(name))
  const idsOf = (task: Task): string[] => [...(accepted.get(task.name) ?? [])]
  const ends = new Map(ended.map((end) => [end.id, end]))
  const isLost = (id: string): boolean => ends.get(id)?.status !== 'completed'
  const lost = taken.flatMap(idsOf).filter(isLost).map((id) => `${id} ${ends.get(id)?.status ?? 'is not there'} ${ends.get(id)?.error ?? ''}`)
  const wrong = await faultsOfAll(taken.filter((task) => !idsOf(task).some(isLost)), idsOf, call)
  const counts = taken.flatMap(({ paths }) => paths).map((path) => ({ path, count: site.hits.get(path) ?? 0 }))
  const seconds = ended.map((query) => query.seconds).toSorted((a, b) => a - b)
  return {
    lost,
    wrong,
    misfrozen: await misfrozenOf(taken, call),
    mostHits: Math.max(0, ...counts.map(({ count }) => count)),
    repeats: counts.reduce((sum, { count }) => sum + Math.max(0, count - 1), 0),
    unasked: counts.filter(({ count }) => count === 0).map(({ path }) => path),
    p95S: seconds[Math.ceil(seconds.length * 0.95) - 1] ?? 0,
  }
}

/** Reads the results of many tasks, some at once. */
async function faultsOfAll(tasks: readonly Task[], idsOf: (task: Task) => string[], call: Call): Promise<string[]> {
  const [rest, faults] = [[...tasks], [] as string[]]
  const take = async (): Promise<void> => {
    for (let task = rest.shift(); task; task = rest.shift()) faults.push(...(await faultsOf(task, idsOf(task), call)))
  }
  await Promise.all(Array.from({ length: 8 }, take))
  return faults
}

async function faultsOf({ name, rows }: Task, ids: readonly string[], call: Call): Promise<string[]> {
  if (ids.length !== 1) return [`${name} was started as ${ids.length} queries`]
  const [id = ''] = ids
  const { results } = await call('sirp.query.results', { params: { id }, query: { mode: 'rows', limit: 1_000 } })
  return JSON.stringify(results) === JSON.stringify(rows) ? [] : [`${name} has ${JSON.stringify(results).slice(0, 300)}`]
}

async function misfrozenOf(tasks: readonly Task[], call: Call): Promise<number[]> {
  const wanted = tasks.flatMap(({ frozen }) => frozen)
  if (wanted.length === 0) return []
  const there = await numbersIn(call)
  return [...new Set([...wanted, ...there])].filter((n) => there.filter((other) => other === n).length !== 1 || !wanted.includes(n))
}

/** The numbers that the cellar file of all tasks holds. */
async function numbersIn(call: Call): Promise<number[]> {
  const { id, total } = await call('sirp.query.dispatchWait', { body: { query: `thaw ${taskFile}` } })
  const numbers: number[] = []
  for (let offset = 0; offset < total; offset += 1_000) {
    const { results } = await call('sirp.query.results', { params: { id }, query: { mode: 'rows', offset, limit: 1_000 } })
    numbers.push(...results.map((row) => (row as { n: number }).n)) // asked for as bare rows
  }
  return numbers
}

/** The states of all queries that a client has started. */
export async function statesOf(databaseUrl: string): Promise<Ended[]> {
  return inDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Ended>(`
      SELECT id::text, status, error::text, extract(epoch FROM coalesce(finished_at, now()) - created_at)::double precision AS seconds
      FROM queries WHERE parent_id IS NULL`)
    return rows
  })
}

/** Does something over a connection of its own. */
export async function inDatabase<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
