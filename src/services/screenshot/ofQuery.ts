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
    pool.query<{ total: number }>({ name: 'query-screenshots-count', text: countSql, values: [queryId] }),
  ])
  const items = page.rows.map(({ createdAt, ...taken }) => ({ ...taken, url: imageUrl(taken.hash), createdAt: createdAt.toISOString() }))
  return { items, total: count.rows[0]?.total ?? 0, offset, limit }
}

/**
 * What a query runs as a template is a part of it, and of the stage that runs it. A stage whose rows come from the cache shows what the
 * query took that made them. A query that keeps only its rows shows none once it has ended.
 */
const sourceSql = `
  WITH RECURSIVE line AS (
    SELECT id, ARRAY[]::integer[] AS path FROM queries WHERE id = $1 AND NOT (cleanup AND finished_at IS NOT NULL)
    UNION ALL SELECT child.id, path || child.parent_stage FROM line JOIN queries AS child ON child.parent_id = line.id),
  begun AS (SELECT query_id, stage, path || stage AS place, row_set, cached FROM line JOIN query_stages ON query_id = line.id),
  source AS (
    SELECT query_id, stage, place FROM begun
    UNION SELECT row_sets.query_id, stage, place FROM begun JOIN row_sets ON row_sets.id = row_set WHERE cached)`

const fromSql = 'FROM source JOIN query_screenshots AS taken USING (query_id, stage) JOIN screenshots USING (hash)'

const countSql = `${sourceSql} SELECT count(*)::integer AS total ${fromSql}`

const pageSql = `
  ${sourceSql}
  SELECT hash, type, width, height, bytes, place[1] AS stage, taken.created_at AS "createdAt" ${fromSql}
  ORDER BY place, index, query_id OFFSET $2 LIMIT $3`
