import { Problem } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { inDispatch } from '../../../platform/tracing.ts'
import { storableJson } from '../../../platform/storableText.ts'
import type { House } from '../../house.ts'
import { fillTemplate } from '../templateRuns.ts'
import type { ClaimedQuery } from './claims.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import { LostQuery } from './passes.ts'
import { isRunning } from '../../states.ts'

/** Templates within templates at most: one that runs itself would go on for ever. */
const maxDepth = 10

/** Starts a template as a query of its own and lets the query that needs its rows go; the end of the one takes the other on. */
export async function startTemplate(house: House, parent: ClaimedQuery, stage: number, name: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const { text, stages } = await fillTemplate(house, name, values)
  const id = newId()
  const { rows } = await inDispatch(id, 'query.dispatch', () => ({ 'quern.query_id': id, 'quern.parent_id': parent.id }), () =>
    house.pool.query<OutboxJob & { tooDeep: boolean }>({
      name: 'template-start',
      text: startSql,
      values: [parent.id, parent.fence, stage, id, text, storableJson(values), stages.length, maxDepth],
    }),
  )
  const [started] = rows
  if (!started) throw new LostQuery()
  if (started.tooDeep) throw new Problem('unprocessable', `Templates run each other more than ${maxDepth} levels deep; ${name.slice(0, 100)} may run itself.`)
  sendNow(house, rows)
}

const startSql = `
  WITH RECURSIVE line AS (
    SELECT id, parent_id, 1 AS depth FROM queries WHERE id = $1
    UNION ALL SELECT queries.id, queries.parent_id, depth + 1 FROM line JOIN queries ON queries.id = line.parent_id WHERE depth <= $8),
  deep AS (SELECT max(depth) >= $8 AS too_deep FROM line),
  own AS (
    UPDATE queries SET claims = CASE WHEN too_deep THEN claims ELSE 0 END, lease_until = CASE WHEN too_deep THEN lease_until END FROM deep
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING queries.*, too_deep),
  made AS (
    INSERT INTO queries (id, api_key_id, request_id, query, known, stages_total, schedule_id, parent_id, parent_stage, mode, cleanup, summary, minutes, ttl)
    SELECT $4, api_key_id, request_id, $5, $6::json, $7, schedule_id, id, $3, 'turbo', false, false, minutes, greatest(ttl, 1) FROM own WHERE NOT too_deep RETURNING id),
  sent AS (
    INSERT INTO outbox (queue, name, job_id, payload)
    SELECT 'query', 'query.run', 'query-' || id || '-1', json_build_object('queryId', id) FROM made RETURNING *)
  SELECT own.too_deep AS "tooDeep", job.* FROM own LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
