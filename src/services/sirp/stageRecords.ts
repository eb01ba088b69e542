import type { commandKinds } from '../../contract/sirp/queryPlan.ts'
import type { Stage } from '../../contract/sirp/stages.ts'
import { Problem } from '../../platform/errors.ts'
import type { QueryStage as StageRow } from '../../platform/prisma/generated/client.ts'
import { parseQuery } from '../../query/plan.ts'
import type { KnownTokens } from '../../query/later.ts'
import { plainValues, templateTokens } from '../../query/templateFill.ts'
import { orNotFound } from '../change.ts'
import type { House } from '../house.ts'
import { readBegun } from './begunStages.ts'
import { failureOf, findQuery, queryNoun } from './queryRecords.ts'

/** A stage as it is answered, and the set that holds its rows. */
export interface FoundStage {
  readonly record: Stage
  readonly rowSet: string | null
}

type Query = Awaited<ReturnType<typeof findQuery>>

/** Every stage of a query, also those that have not begun, in their order; a 404 where there is no such query. */
export async function readStages(house: House, id: string): Promise<{ query: Query; stages: FoundStage[] }> {
  const [query, begun] = await Promise.all([findQuery(house, id), readBegun(house, id)])
  if (begun.length >= query.stagesTotal) return { query, stages: begun.map(foundStage) }
  const rows = new Map(begun.map((row) => [row.stage, row]))
  const planned = await readPlan(house, query)
  const stages = planned.map((stage) => {
    const row = rows.get(stage.stage)
    return row ? foundStage(row) : { record: stage, rowSet: null }
  })
  return { query, stages }
}

/** The stage of a number or label, or a 404; labels go first, as they do in the language. */
export async function findStage(house: House, id: string, name: string): Promise<FoundStage & { query: Query; last: boolean }> {
  const { query, stages } = await readStages(house, id)
  const labelled = stages.find(({ record }) => record.label === name)
  const found = labelled ?? (/^\d{1,9}$/.test(name) ? stages[Number(name)] : undefined)
  if (!found) {
    const numbers = stages.length === 1 ? 'the one stage 0' : `stages 0 to ${stages.length - 1}`
    const named = JSON.stringify(name.slice(0, 100))
    throw new Problem('not_found', `The query has no stage ${named}: it has ${numbers}, which can also be named by their labels.`)
  }
  return { ...found, query, last: found === stages.at(-1) }
}

/** A stage that has begun, as it is answered. */
export function presentStage(row: StageRow): Stage {
  return {
    stage: row.stage,
    ...(row.label === null ? {} : { label: row.label }),
    command: row.command,
    kind: row.kind as (typeof commandKinds)[number], // written from the command's own declaration
    status: row.status as Stage['status'], // a constraint of the table allows no other word
    rowsIn: Number(row.rowsIn),
    rowsOut: Number(row.rowsOut),
    commands: { total: row.commandsTotal, completed: row.commandsCompleted, failed: row.commandsFailed, skipped: row.commandsSkipped },
    cached: row.cached,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    ...failureOf(row.error),
  }
}

const foundStage = (row: StageRow): FoundStage => ({ record: presentStage(row), rowSet: row.rowSet })

/** What becomes of stages that have not begun; a completed query has such stages only where it was finalized before them. */
const fates: Readonly<Record<string, Stage['status']>> = { failed: 'skipped', expired: 'skipped', cancelled: 'cancelled', completed: 'skipped' }

/** The stages of the text, as far as the query alone tells what became of them. */
async function readPlan({ db }: House, query: Query): Promise<Stage[]> {
  const stored = orNotFound(await db.query.findUnique({ where: { id: query.id }, select: { known: true } }), queryNoun, query.id)
  return parseQuery(query.query, tokensOf(stored.known)).stages.map(({ command, flags }, stage) => ({
    stage,
    ...(typeof flags['labelStage'] === 'string' ? { label: flags['labelStage'] } : {}),
    command: command.name,
    kind: command.kind,
    rowsIn: 0,
    rowsOut: 0,
    cached: false,
    ...fateOf(query, stage),
  }))
}

type Fate = Pick<Stage, 'status' | 'commands' | 'startedAt' | 'finishedAt' | 'error'>

/** Quick stages, and those that run a template, are stored with their end only: until then, and where they fail, the query tells of them. */
function fateOf(query: Query, stage: number): Fate {
  const { status, stagesCompleted, updatedAt, finishedAt } = query
  const none = { completed: 0, failed: 0, skipped: 0 }
  const begun = { commands: { total: 1, ...none }, finishedAt: finishedAt?.toISOString() ?? null }
  const { error } = failureOf(query.error)
  if (error?.stage !== undefined && stage <= error.stage) {
    const cut = { ...begun, startedAt: begun.finishedAt }
    return stage === error.stage ? { ...cut, status: 'failed', error } : { ...cut, status: 'cancelled' }
  }
  if (status === 'running' && stage === stagesCompleted) return { ...begun, status, startedAt: updatedAt.toISOString() }
  return { status: fates[status] ?? 'queued', commands: { total: 0, ...none }, startedAt: null, finishedAt: null }
}

function tokensOf(known: unknown): KnownTokens {
  return templateTokens(plainValues((known ?? {}) as Record<string, unknown>)) // dispatch stores an object of values by name
}
