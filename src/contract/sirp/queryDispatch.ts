import { defineOperations } from '../define.ts'
import { DispatchDraft, QueryDraft } from './queryDraft.ts'
import { FirstPage, Held, Waited } from './queryResults.ts'

/** How an operation that waits for its query answers when the wait ends. */
export const waitRules =
  'Answers 200 also for a query that failed or was cancelled. When the wait runs out (120 seconds, or `Prefer: wait=N` up to 600) ' +
  'a 504 names the id, and the query goes on. Of very wide rows only the first 16 MiB or so are answered: `limit` is then the number that came.'

/** How an operation that answers at once can be made to wait. */
export const heldRules = '`Prefer: wait=N` holds the answer up to N seconds (600 at most): a query that has ended by then is a 200 with its first rows.'

/** The operations that start a query. */
export const queryDispatches = defineOperations({
  'sirp.query.dispatch': {
    method: 'POST',
    path: '/v1/sirp/query/runner/dispatch',
    summary: 'Dispatch a query',
    description: `Answers as soon as the query is stored. A query with faults is a 422 \`query_syntax\`, and nothing is started. ${heldRules}`,
    scope: 'queries:write',
    startsWork: true,
    body: DispatchDraft,
    reply: { status: 202, body: Held, location: '/v1/sirp/query/:id' },
    example: { query: 'range 10 || limit 3', mode: 'turbo', minutes: 5, ttl: 3600, metadata: { reason: 'trial' } },
  },
  'sirp.query.dispatchWait': {
    method: 'POST',
    path: '/v1/sirp/query/runner/dispatch/wait',
    summary: 'Dispatch a query and wait for completion',
    description: waitRules,
    scope: 'queries:write',
    startsWork: true,
    query: FirstPage,
    body: QueryDraft,
    reply: { status: 200, body: Waited },
    example: { query: 'range 10 || limit 3', summary: true },
  },
})
