import { defineCommand } from '../command.ts'
import { named } from '../params.ts'

export const auth = defineCommand({
  name: 'auth',
  kind: 'expand',
  summary: 'Answers the headers that a credential yields',
  args: {},
  flags: { credential: named('credential', 'Name of the credential') },
  examples: ['auth --credential splunk', 'auth --credential okta --labelStage headers'],
})
