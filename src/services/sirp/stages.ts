import { Problem } from '../../platform/errors.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'
import { listCommands } from './queryCommands.ts'
import { answerRows } from './rowAnswers.ts'
import { findStage, readStages } from './stageRecords.ts'

type Ids = `sirp.stage.${'list' | 'read' | 'results' | 'commands'}`

/** The stages of queries, and the rows that they have made so far. */
export function stageHandlers(house: House): HandlersOf<Ids> {
  return {
    'sirp.stage.list': async ({ params, query }) => {
      const { stages } = await readStages(house, params.id)
      return pageOf(query, stages.map(({ record }) => record))
    },
    'sirp.stage.read': async ({ params }) => (await findStage(house, params.id, params.stage)).record,
    'sirp.stage.results': async ({ params, query }) => {
      const found = await findStage(house, params.id, params.stage)
      const head = { id: params.id, stage: found.record.stage }
      return answerRows(house, { head, setId: setOf(found), missing: notKept(found), filename: `query-${head.id}-stage-${head.stage}` }, query)
    },
    'sirp.stage.commands': async ({ params, query }) => {
      const { record } = await findStage(house, params.id, params.stage)
      return listCommands(house, { queryId: params.id, stage: record.stage }, query)
    },
  }
}

type Found = Awaited<ReturnType<typeof findStage>>

/** The set of a stage's rows; null where it has made none yet. */
function setOf(found: Found): string | null {
  const { rowSet, record, query, last } = found
  const setId = rowSet ?? (last && record.status === 'completed' ? query.resultSet : null)
  if (setId === null && record.status === 'completed') throw new Problem('not_found', notKept(found))
  return setId
}

/** Why the rows of a stage that has ended are not there. */
function notKept({ record, query, last }: Found): string {
  const rows = `The rows of stage ${record.stage} are not kept`
  if (!last && query.mode === 'turbo') return `${rows}: turbo mode keeps those of the last stage only. Dispatch it in comprehensive mode.`
  if (!last && query.cleanup) return `${rows}: cleanup leaves those of the last stage only. Dispatch the query without it to read them.`
  return `${rows} any more. Dispatch the query again to read them.`
}
