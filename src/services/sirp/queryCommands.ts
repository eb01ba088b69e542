import type { Command } from '../../contract/sirp/commands.ts'
import type { Page } from '../../contract/schemas.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { runFlightLink } from '../krull/links.ts'
import type { Paged } from '../paging.ts'
import { readRecords, type FoundRecord } from './engine/commandRecords.ts'
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
export async function listCommands(house: House, where: { queryId: string; stage?: number }, { offset = 0, limit = 100 }: Page): Promise<Paged<Command>> {
  const { records, total } = await readRecords(house, where, { offset, limit })
  return { items: records.map(presentCommand), total, offset, limit }
}

function presentCommand({ queryId, stage, index, command, args, flags, status, attempts, rows, bytes, ms, cached, warnings, error, screenshot, flight }: FoundRecord): Command {
  return {
    id: `${queryId}-${stage}-${index}`,
    stage,
    index,
    command,
    args: [...args],
    flags: maskedFlags(flags),
    warnings: [...warnings],
    status,
    attempts,
    rows,
    bytes,
    ms,
    cached,
    ...failureOf(error),
    ...(screenshot === null ? {} : { screenshot }),
    ...(flight ? { flight: runFlightLink(queryId, stage, index) } : {}),
  }
}
