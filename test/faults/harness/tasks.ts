import type { Row } from '../../../src/query/rows.ts'

/** A query with the rows that it must have in the end, and what it does outside. */
export interface Task {
  readonly name: string
  readonly query: string
  readonly rows: readonly Row[]
  /** Paths of the site that it asks for, once each. */
  readonly paths: readonly string[]
  /** Numbers that it appends to the cellar file of all tasks. */
  readonly frozen: readonly number[]
}

/** The template that some tasks run. */
export const taskTemplate = { name: 'faults', description: 'Even numbers', query: 'range $template.from$ $template.to$ || filter "n % 2 == 0"' }

/** The cellar file that some tasks append to. */
export const taskFile = 'faults.ndjson'

const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index)

const kinds: readonly ((name: string, from: number, origin: string) => Omit<Task, 'name'>)[] = [
  (_name, from) => ({
    query: `range ${from} ${from + 60} || filter "n % 2 == 0" || stats count sum(n) as total`,
    rows: [{ count: 30, total: numbers(from, 60).filter((n) => n % 2 === 0).reduce((sum, n) => sum + n, 0) }],
    paths: [],
    frozen: [],
  }),
  (name, from, origin) => {
    const paths = numbers(from, 4).map((n) => `/${name}/${n}`)
    return { query: `range ${from} ${from + 4} || api get ${origin}/${name}/$n$`, rows: paths.map((path) => ({ path })), paths, frozen: [] }
  },
  (_name, from) => ({
    query: `range ${from} ${from + 3} || freeze ${taskFile} --append`,
    rows: numbers(from, 3).map((n) => ({ n })),
    paths: [],
    frozen: numbers(from, 3),
  }),
  (_name, from) => ({
    query: `runTemplate "${taskTemplate.name}" --template.from ${from} --template.to ${from + 10}`,
    rows: numbers(from, 10).filter((n) => n % 2 === 0).map((n) => ({ n })),
    paths: [],
    frozen: [],
  }),
]

/** Mixed tasks, no two of them alike: passes, requests outside, appended files and templates. */
export function mixedTasks(count: number, origin: string, prefix = 'task'): Task[] {
  return Array.from({ length: Math.ceil(count / kinds.length) }, (_, round) => round * kinds.length)
    .flatMap((first) => kinds.map((kind, at) => ({ name: `${prefix}-${first + at}`, kind, from: 1_000 + (first + at) * 100 })))
    .slice(0, count)
    .map(({ name, kind, from }) => ({ name, ...kind(name, from, origin) }))
}

/** Tasks whose requests a browser sends. */
export function pageTasks(count: number, origin: string): Task[] {
  return Array.from({ length: count }, (_, index) => ({ name: `page-${index}`, path: `/page-${index}` })).map(({ name, path }) => ({
    name,
    query: `evaluate "() => JSON.parse(document.body.innerText)" --url ${origin}${path}`,
    rows: [{ path }],
    paths: [path],
    frozen: [],
  }))
}
