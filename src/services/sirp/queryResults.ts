import { Problem } from '../../platform/errors.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { findQuery, isEnded } from './queryRecords.ts'
import { answerRows } from './rowAnswers.ts'

const notKept = 'The rows of the query are not kept any more. Dispatch it again to read them.'

/** The rows of queries that were completed. */
export function queryResultHandlers(house: House): HandlersOf<'sirp.query.results'> {
  return {
    'sirp.query.results': async ({ params: { id }, query }) => {
      const { status, resultSet } = await findQuery(house, id)
      if (status !== 'completed') throw unfinished(status)
      return answerRows(house, { head: { id }, setId: resultSet, missing: notKept, filename: `query-${id}` }, query)
    },
  }
}

function unfinished(state: string): Problem {
  const remedy = isEnded(state)
    ? 'the rows that its stages have made can be read'
    : 'wait until it is completed, or read the rows that its stages have made so far'
  return new Problem('conflict', `The query is ${state} and has no results: ${remedy}.`, { extra: { state } })
}
