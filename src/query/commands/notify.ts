import { defineCommand } from '../command.ts'
import { boolean, filledText, named, optional, otherwise } from '../params.ts'

export const notify = defineCommand({
  name: 'notify',
  kind: 'sink',
  summary: 'POSTs each row, or all of them together, to a webhook and passes the rows on',
  args: { url: filledText('Where to') },
  flags: {
    batch: otherwise(boolean('Sends all rows in one request'), false),
    secret: optional(named('credential', 'Name of a credential that signs the body (HMAC-SHA-256, X-Signature)')),
  },
  examples: ['range 3 || notify https://hooks.example/rows', 'range 3 || notify https://hooks.example/rows --batch --secret hook'],
})
