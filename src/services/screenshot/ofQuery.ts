import type { QueryScreenshot } from '../../contract/sirp/queries.ts'
import type { Page } from '../../contract/schemas.ts'
import type { House } from '../house.ts'
import type { Paged } from '../paging.ts'
import { imageUrl } from './store.ts'

interface Taken extends Omit<QueryScreenshot, 'createdAt' | 'url'> {
  readonly createdAt: Date
}

/** The pictures that a query took, in the order of its stages and their runs. */
export async function screenshotsOf({ pool }: House, queryId: string, { offset = 0, limit = 100 }: Page): Promise<Paged<QueryScreenshot>> {
  const [page, count] = await Promise.all([
    pool.query<Taken>({ name: 'query-screenshots', text: pageSql, values: [queryId, offset, limit] }),
    pool.query<{ total: number }>({ name: 'query-screenshots-count', text: `SELECT count(*)::integer AS total ${fromSql}`, values: [queryId] }),
  ])
  const items = page.rows.map(({ createdAt, ...taken }) => ({ ...taken, url: imageUrl(taken.hash), createdAt: createdAt.toISOString() }))
  return { items, total: count.rows[0]?.total ?? 0, offset, limit }
}

/** A stage whose rows come from the cache shows what the query took that made them. A query that keeps only its rows shows none once it has ended. */
const fromSql = `
  FROM queries, query_screenshots AS taken JOIN screenshots USING (hash)
  WHERE queries.id = $1 AND NOT (queries.cleanup AND queries.finished_at IS NOT NULL)
    AND (taken.query_id, taken.stage) IN (
      SELECT query_id, stage FROM query_stages WHERE query_id = $1
      UNION SELECT row_sets.query_id, stage FROM query_stages JOIN row_sets ON row_sets.id = row_set WHERE query_stages.query_id = $1 AND cached)`

const pageSql = `
  SELECT hash, type, width, height, bytes, taken.stage, taken.created_at AS "createdAt" ${fromSql}
  ORDER BY taken.stage, taken.index OFFSET $2 LIMIT $3`
