import { Problem } from '../../src/platform/errors.ts'
import type { Filled } from '../../src/query/params.ts'
import type { Cell } from '../../src/query/rows.ts'
import { finishPass } from '../../src/services/sirp/engine/passes.ts'
import { startTemplate } from '../../src/services/sirp/engine/templateChildren.ts'
import type { QueryWork } from './queryWork.ts'
import { letGo } from './stageJobs.ts'
import { passStages } from './stagePass.ts'

/** Runs a template as a query of its own, and goes on with its rows when it has ended. Answers whether the query goes on now. */
export async function runTemplateStage(work: QueryWork, stage: number): Promise<boolean> {
  const { house } = work.engine
  const child = work.claimed.children.find((other) => other.stage === stage)
  if (!child) {
    const name = String(work.at(stage).args['name'])
    await startTemplate(house, work.claimed, stage, name, valuesOf(work, stage)).catch((error: unknown) => Promise.reject(placed(error, name)))
    return false
  }
  if (child.status === 'queued' || child.status === 'running') return letGo(work)
  if (child.status !== 'completed') {
    const reason = child.error ? `${child.error.detail} (${child.error.code})` : `it was ${child.status}.`
    throw new Problem('command_failed', `The template did not complete: ${reason}`)
  }
  if (asksMore(work.at(stage).flags)) return !(await passStages(work, { from: stage, to: stage + 1 }))
  const done = { rowSet: child.resultSet, rows: child.rows }
  await finishPass(house, work.claimed, { stages: [work.adopted(stage, done, false)], chunks: [], stagesCompleted: stage + 1, rows: child.rows, completed: false, resultSet: null, onlyLast: false, cacheTtlS: house.env.cacheTtlS }, [])
  work.done.set(stage, done)
  return true
}

/** Says of which text the line and the column of a fault are. */
function placed(error: unknown, name: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'query_syntax') return error
  return new Problem(error.code, `In the template ${JSON.stringify(name)}: ${error.message}`, error.options)
}

/** Whether flags ask for something of the rows; otherwise they are taken over as they are. */
const asksMore = (flags: Readonly<Record<string, unknown>>): boolean =>
  flags['guid'] === true || ['table', 'appendStage', 'checkpoint'].some((name) => flags[name] !== undefined)

/** The values that stand as flags `--template.x`. */
function valuesOf(work: QueryWork, stage: number): Record<string, Cell> {
  const prefix = 'template.'
  const lookupIn = work.lookup(() => undefined)
  const given = Object.entries(work.at(stage).flags).filter(([name, value]) => name.startsWith(prefix) && typeof value === 'function')
  return Object.fromEntries(given.map(([name, value]) => [name.slice(prefix.length), (value as Filled<Cell>)({}, (token) => lookupIn(token, stage))])) // declared as such values
}
