import type { Batch } from '../../../query/rows.ts'
import { flatten } from '../../../query/rows.ts'
import type { House } from '../../house.ts'

/** Recent queries, newest first, a row each; what the command `queries` shows. */
export async function recentQueries({ pool }: House, { status, limit }: { readonly status?: string | undefined; readonly limit: number }): Promise<Batch> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'queries-recent',
    text: `
      SELECT id, query, status, mode, rows::double precision AS rows, created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt", error
      FROM queries WHERE parent_id IS NULL AND ($1::text IS NULL OR status = $1) ORDER BY created_at DESC, id DESC LIMIT $2`,
    values: [status ?? null, limit],
  })
  return rows.map((row) => flatten(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]))))
}
