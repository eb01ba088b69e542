import type { QueryStage as StageRow } from '../../platform/prisma/generated/client.ts'
import type { House } from '../house.ts'

/** The stages of a query that have begun, in their order; of those that have not completed, the rows that can be read of them by now. */
export async function readBegun(house: House, queryId: string): Promise<StageRow[]> {
  const stages = await house.db.queryStage.findMany({ where: { queryId }, orderBy: { stage: 'asc' } })
  const open = stages.flatMap(({ status, rowSet }) => (status === 'completed' || rowSet === null ? [] : [rowSet]))
  if (open.length === 0) return stages
  const made = await countRows(house, open)
  return stages.map((stage) => ({ ...stage, rowsOut: made.get(stage.rowSet ?? '') ?? stage.rowsOut }))
}

/** Only its end writes down how many rows a stage has made, and some stages never reach it. */
async function countRows({ pool }: House, sets: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await pool.query<{ setId: string; rows: string }>({
    name: 'rows-so-far',
    text: `SELECT set_id AS "setId", coalesce(sum(row_count), 0) AS rows FROM unnest($1::uuid[]) AS asked(set_id) LEFT JOIN row_chunks USING (set_id) GROUP BY set_id`,
    values: [sets],
  })
  return new Map(rows.map(({ setId, rows: count }) => [setId, BigInt(count)]))
}
