import { upTo } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { credentialHeaders } from '../credentials/headers.ts'
import { named } from '../params.ts'

export const auth = defineCommand({
  name: 'auth',
  kind: 'expand',
  summary: 'Answers the headers that a credential yields: one row, a column a header',
  args: {},
  flags: { credential: named('credential', 'Name of the credential') },
  examples: ['auth --credential splunk', 'auth --credential okta --labelStage headers'],
  neverCached: true,
  rowsPerJob: 1,
  requests: () => upTo(1),
  rows: (input) => input,

  async *each(_row, { flags, context }) {
    const credential = await context.outside.credential(flags.credential)
    yield [{ ...(await credentialHeaders(credential, context)) }]
  },
})
