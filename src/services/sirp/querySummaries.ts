import type { Summary, SummaryStatus } from '../../contract/sirp/querySummary.ts'
import { Problem } from '../../platform/errors.ts'
import { orNotFound } from '../change.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { failureOf, isEnded, queryNoun } from './queryRecords.ts'

type Ids = 'sirp.query.summary' | 'sirp.query.summaryStatus'

/** What queries have found out about their own rows. */
export function querySummaryHandlers(house: House): HandlersOf<Ids> {
  return {
    'sirp.query.summary': async ({ params: { id } }) => {
      const row = await find(house, id)
      if (!row.summary) throw new Problem('not_found', 'The query was dispatched without summary; dispatch it with `summary: true` to have one.')
      if (row.summaryResult === null) throw notYet(row.status)
      return { ...(row.summaryResult as Omit<Summary, 'id'>), id } // written by the engine, in the shape of the contract
    },
    'sirp.query.summaryStatus': async ({ params: { id } }) => {
      const row = await find(house, id)
      const status = statusOf(row)
      return { id, status, ...(status === 'failed' ? failureOf(row.error) : {}) }
    },
  }
}

interface Found {
  readonly status: string
  readonly summary: boolean
  readonly summaryResult: unknown
  readonly error: unknown
}

async function find({ db }: House, id: string): Promise<Found> {
  const select = { status: true, summary: true, summaryResult: true, error: true } as const
  return orNotFound(await db.query.findUnique({ where: { id }, select }), queryNoun, id)
}

/** A summary is written together with the end of its query: one that has ended without, be it failed or finalized, never gets one. */
function statusOf({ status, summary, summaryResult }: Found): SummaryStatus['status'] {
  if (!summary) return 'none'
  if (summaryResult !== null) return 'completed'
  return isEnded(status) ? 'failed' : 'pending'
}

function notYet(state: string): Problem {
  const early = state === 'completed' ? ' and was finalized before its last row' : ''
  const detail = isEnded(state)
    ? `The query is ${state}${early}, so it has no summary.`
    : `The query is ${state} and its summary is not computed yet; ask again when it has ended.`
  return new Problem('conflict', detail, { extra: { state } })
}
