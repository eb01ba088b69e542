import { upTo } from '../bounds.ts'
import { cellAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { choice, integer, optional, otherwise } from '../params.ts'
import type { Row } from '../rows.ts'
import { inBatches } from '../stream.ts'

const columns = ['id', 'query', 'status', 'mode', 'rows', 'createdAt', 'startedAt', 'finishedAt', 'error.code', 'error.detail']

export const queries = defineCommand({
  name: 'queries',
  kind: 'generate',
  summary: 'Recent queries, a row each',
  args: {},
  flags: {
    status: optional(choice('Only those in this state', ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'])),
    limit: otherwise(integer('How many at most', 1, 10_000), 100),
  },
  neverCached: true,
  examples: ['queries', 'queries --status failed --limit 20'],
  rows: (_input, { flags }) => upTo(flags.limit),

  async *run(_batches, { flags, context }) {
    const found = await context.outside.queries({ status: flags.status, limit: flags.limit })
    yield* inBatches(found.map((row): Row => Object.fromEntries(columns.map((name) => [name, cellAt(row, name)]))))
  },
})
