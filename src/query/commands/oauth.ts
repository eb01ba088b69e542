import { defineCommand } from '../command.ts'
import { named } from '../params.ts'

export const oauth = defineCommand({
  name: 'oauth',
  kind: 'expand',
  summary: 'Gets an access token for an oauth credential: token.access_token, token.token_type, token.expires_in',
  args: {},
  flags: { credential: named('credential', 'Name of the credential') },
  examples: ['oauth --credential github', 'oauth --credential github || api get https://api.example/me --bearer "$token.access_token$"'],
})
