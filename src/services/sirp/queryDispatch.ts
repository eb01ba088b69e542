import type { QueryStatus } from '../../contract/sirp/queryRecord.ts'
import { Problem } from '../../platform/errors.ts'
import { WithStatus, type HandlersOf, type RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { notFound } from '../change.ts'
import { cancelQuery, type Ending } from './engine/cancel.ts'
import { finalizeQuery } from './engine/finalize.ts'
import { dispatchedOf, isEnded, queryNoun } from './queryRecords.ts'
import { startQuery, type Started } from './queryStarts.ts'
import { readStatus } from './queryStatus.ts'
import { presentWaited, seenEnd, waitedFor } from './queryWaits.ts'
import { commandText } from './commandText.ts'
import { understand } from './queryPlans.ts'
import { fillStoredTemplate } from './templateRuns.ts'

type Ids = 'sirp.query.finalize' | 'sirp.query.dispatch' | 'sirp.query.dispatchWait' | 'sirp.query.cancel' | 'sirp.command.dispatch' | 'sirp.template.dispatchWait'

/** The operations that start a query, wait for it, and end it. */
export function queryDispatchHandlers(house: House): HandlersOf<Ids> {
  return {
    'sirp.query.dispatch': async (request) => {
      const parsed = await understand(house, request.body.query)
      return answerStart(house, request, await startQuery(house, request, request.body, parsed, { isWaitedFor: isPatient(request) }))
    },

    'sirp.query.dispatchWait': async (request) => {
      const started = await startQuery(house, request, request.body, await understand(house, request.body.query), { isWaitedFor: true })
      return waitedFor(house, started, waitMsOf(house, request), request.upload, request.query.limit)
    },

    'sirp.template.dispatchWait': async (request) => {
      const { parsed, known, templateId } = await fillStoredTemplate(house, request.body.query, request.body.values ?? {})
      const started = await startQuery(house, request, request.body, parsed, { known, isWaitedFor: true, ...(templateId === undefined ? {} : { templateId }) })
      return waitedFor(house, started, waitMsOf(house, request), request.upload, request.query.limit)
    },

    'sirp.command.dispatch': async (request) => {
      const { body } = request
      const { text, pathAt } = commandText(body)
      const parsed = await understand(house, text, false, { line: body.line ?? 0, pathAt })
      if (body.prev !== undefined) await checkInput(house, body.prev)
      const options = { isWaitedFor: isPatient(request), ...(body.id === undefined ? {} : { id: body.id }), ...(body.prev === undefined ? {} : { inputId: body.prev }) }
      return answerStart(house, request, await startQuery(house, request, body.metadata === undefined ? {} : { metadata: body.metadata }, parsed, options))
    },

    'sirp.query.cancel': (request) => endEarly(house, request, request.params.id, cancelQuery),
    'sirp.query.finalize': (request) => endEarly(house, request, request.params.id, finalizeQuery),
  }
}

/** Ends a query before its time; one that has ended already is a 409 that names its state. */
async function endEarly(house: House, request: RequestFacts, id: string, end: (house: House, id: string, asked: RequestFacts) => Promise<Ending>): Promise<QueryStatus> {
  const outcome = await end(house, id, request)
  if (outcome === 'missing') throw notFound(queryNoun, id)
  const status = await readStatus(house, id)
  if (outcome === 'over') throw new Problem('conflict', `The query has ended already: it is ${status.status}.`, { extra: { state: status.status } })
  return status
}

const waitMsOf = ({ env }: House, { prefer }: RequestFacts): number => (prefer.waitS === undefined ? env.dispatchWaitMs : prefer.waitS * 1000)

/** Whether the answer may be held. */
const isPatient = ({ prefer: { waitS = 0 } }: RequestFacts): boolean => waitS > 0

/** Answers at once, or holds the answer as long as the client prefers; then it carries the first rows. */
export async function answerStart(house: House, { prefer, upload }: RequestFacts, started: Started) {
  if (prefer.waitS === undefined) return dispatchedOf(started)
  const seen = await seenEnd(house, started, prefer.waitS * 1000, upload)
  const dispatched = dispatchedOf({ ...started, status: seen.status })
  if (!isEnded(seen.status)) return dispatched
  return new WithStatus(200, { ...dispatched, ...(await presentWaited(house, seen, 100)) })
}

/** The rows of another query can be the input only when they are all there. */
async function checkInput(house: House, id: string): Promise<void> {
  const status = await readStatus(house, id)
  if (status.status !== 'completed') throw new Problem('conflict', `The query ${id}, whose rows are to be the input, is ${status.status}; only those of a completed one can be.`)
}
