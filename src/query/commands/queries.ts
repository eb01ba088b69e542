import { defineCommand } from '../command.ts'
import { choice, integer, optional, otherwise } from '../params.ts'

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
})
