import { defineCommand } from '../command.ts'
import { named, optional, value } from '../params.ts'

export const runTemplate = defineCommand({
  name: 'runTemplate',
  kind: 'generate',
  summary: 'The rows of a stored template',
  args: { name: named('template', 'Name of the template') },
  flags: { 'template.*': optional(value('A value of the template')) },
  openFlags: 'template',
  neverCached: true, // what the template itself reads decides whether its rows are still right
  examples: ['runTemplate "prices"', 'runTemplate "prices" --template.shop a.example --template.limit 10'],
})
