import type { Connection } from '../../platform/prisma/database.ts'
import { change, notFound } from '../change.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { cancelQuery } from './engine/cancel.ts'
import { wake } from './engine/wakes.ts'
import { queryNoun } from './queryRecords.ts'

/** Deletes a query with all that belongs to it; one that runs is cancelled first. */
export async function deleteQuery(house: House, request: RequestFacts, id: string): Promise<undefined> {
  if ((await cancelQuery(house, id)) === 'missing') throw notFound(queryNoun, id)
  await change(house, request, {
    target: id,
    write: async (tx) => {
      if ((await deleteLine(tx, id)) === 0) throw notFound(queryNoun, id)
      await releaseSets(tx, id)
    },
  })
  wake(house, id, 'ended')
  return undefined
}

/** Deletes a query, and those that it ran as templates. */
function deleteLine(tx: Connection, id: string): PromiseLike<number> {
  return tx.$executeRaw`
    WITH RECURSIVE line AS (
      SELECT id FROM queries WHERE id = ${id}::uuid UNION SELECT child.id FROM line JOIN queries AS child ON child.parent_id = line.id)
    DELETE FROM queries USING line WHERE queries.id = line.id`
}

/** Removes the rows that a query made, unless another query shows them. */
async function releaseSets(tx: Connection, queryId: string): Promise<void> {
  // Whoever is about to name a set holds a lock on it, and has named it once we have ours.
  await tx.$queryRaw`SELECT id FROM row_sets WHERE query_id = ${queryId}::uuid ORDER BY id FOR UPDATE`
  await tx.$executeRaw`DELETE FROM stage_cache USING row_sets WHERE set_id = id AND query_id = ${queryId}::uuid`
  await dropUnnamed(tx, queryId)
  // Sets in another order were named by the ones that they were made of until now.
  await dropUnnamed(tx, queryId)
}

function dropUnnamed(tx: Connection, queryId: string): PromiseLike<number> {
  return tx.$executeRaw`DELETE FROM row_sets AS made WHERE query_id = ${queryId}::uuid
    AND NOT EXISTS (SELECT FROM query_stages WHERE row_set = made.id)
    AND NOT EXISTS (SELECT FROM queries WHERE result_set = made.id)
    AND NOT EXISTS (SELECT FROM row_orders WHERE sorted_id = made.id)`
}
