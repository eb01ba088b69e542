import type { Command } from '../../contract/sirp/commands.ts'
import type { Page } from '../../contract/schemas.ts'
import type { QueryCommand as CommandRow } from '../../platform/prisma/generated/client.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { runFlightLink } from '../krull/links.ts'
import { readPage, type Paged } from '../paging.ts'
import { maskedFlags } from './maskedFlags.ts'
import { failureOf } from './queryRecords.ts'
import { readStatus } from './queryStatus.ts'

/** The commands that queries have run. */
export function queryCommandHandlers(house: House): HandlersOf<'sirp.command.list'> {
  return {
    'sirp.command.list': async ({ params, query }) => {
      await readStatus(house, params.id)
      return listCommands(house, { queryId: params.id }, query)
    },
  }
}

/** The commands of a query, or of one of its stages, that have ended, in the order of stages and input rows. */
export function listCommands({ db }: House, where: { queryId: string; stage?: number }, page: Page): Promise<Paged<Command>> {
  const orderBy = [{ stage: 'asc' as const }, { index: 'asc' as const }]
  const rows = (window: { skip: number; take: number }) => db.queryCommand.findMany({ where, ...window, orderBy })
  return readPage(page, { rows, count: () => db.queryCommand.count({ where }) }, presentCommand)
}

function presentCommand(row: CommandRow): Command {
  return {
    id: `${row.queryId}-${row.stage}-${row.index}`,
    stage: row.stage,
    index: row.index,
    command: row.command,
    // The engine writes these three in the shapes of the contract.
    args: row.args as unknown[],
    flags: maskedFlags(row.flags as Record<string, unknown>),
    warnings: row.warnings as string[],
    status: row.status as Command['status'], // the engine's own word
    attempts: row.attempts,
    rows: Number(row.rows),
    bytes: Number(row.bytes),
    ms: row.ms,
    cached: row.cached,
    ...failureOf(row.error),
    ...(row.screenshot === null ? {} : { screenshot: row.screenshot }),
    ...(row.flight ? { flight: runFlightLink(row.queryId, row.stage, row.index) } : {}),
  }
}
