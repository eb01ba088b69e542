import { isPlain } from './chunks.ts'
import type { PassEnd } from './passes.ts'
import type { SeenQuery } from './waitForEnd.ts'

/** Rows that are told with the end of their query; those who wait for more read them. */
const mostBytes = 4_096

/** What those who wait for a query are told of its end, so that they need not look; undefined where its rows are many. */
export function tellEnd({ rows, resultSet, chunks }: Pick<PassEnd, 'rows' | 'resultSet' | 'chunks'>): string | undefined {
  const result = chunks.filter(({ setId }) => setId === resultSet)
  const [first] = result
  if (result.length > 1 || (first?.rowCount ?? 0) !== rows) return undefined
  if (first && (first.data.length > mostBytes || !isPlain(first.data))) return undefined
  return JSON.stringify({ rows, resultSet, first: first?.data.toString() ?? null })
}

/** The ended query that `tellEnd` told of. */
export function hearEnd(id: string, news: string): SeenQuery {
  const { rows, resultSet, first } = JSON.parse(news) as { rows: number; resultSet: string | null; first: string | null } // written by tellEnd
  return { id, status: 'completed', rows, resultSet, error: null, first: first === null ? null : Buffer.from(first) }
}
