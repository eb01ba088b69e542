import type { Static } from 'typebox'
import type { Call } from '../../src/client/index.ts'
import type { QueryDraft } from '../../src/contract/sirp/queryDraft.ts'
import type { Row, Waited } from '../../src/contract/sirp/queryResults.ts'

/** A query that was dispatched and has ended, with the first of its rows. */
export type Ended = Static<typeof Waited> & { readonly rows: readonly Row[] }

/** Dispatches a query and waits for its end. */
export async function runToEnd(call: Call, query: string, options: Omit<QueryDraft, 'query'> = {}): Promise<Ended> {
  const waited = await call('sirp.query.dispatchWait', { body: { query, ...options }, query: { limit: 1000 } })
  return { ...waited, rows: waited.results.map(({ content }) => content) }
}

/** The rows of a query that must complete. */
export async function rowsOf(call: Call, query: string, options: Omit<QueryDraft, 'query'> = {}): Promise<readonly Row[]> {
  const { status, error, rows } = await runToEnd(call, query, options)
  if (status !== 'completed') throw new Error(`the query is ${status}: ${JSON.stringify(error)}`)
  return rows
}

/** Dispatches a query and answers its id at once. */
export async function start(call: Call, query: string, options: Omit<QueryDraft, 'query'> = {}): Promise<string> {
  return (await call('sirp.query.dispatch', { body: { query, ...options } })).id
}

/** A query long enough that it has not ended when one looks at it. */
export const endless = 'range 100000000 || math m "n * 2" || filter "m < 0" || count'
