import { upTo } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { accessToken } from '../credentials/tokens.ts'
import { named } from '../params.ts'

export const oauth = defineCommand({
  name: 'oauth',
  kind: 'expand',
  summary: 'Gets an access token for an oauth credential: token.access_token, token.token_type, token.expires_in',
  args: {},
  flags: { credential: named('credential', 'Name of the credential') },
  examples: ['oauth --credential github', 'oauth --credential github || api get https://api.example/me --bearer "$token.access_token$"'],
  neverCached: true,
  rowsPerJob: 1,
  requests: () => upTo(1),
  rows: (input) => input,

  async *each(_row, { flags, context }) {
    const { access, type, lifeS, gotAtMs } = await accessToken(await context.outside.credential(flags.credential), context)
    // A kept token has lasted for a while already.
    const left = lifeS === undefined ? null : Math.max(0, lifeS - Math.floor((Date.now() - gotAtMs) / 1_000))
    yield [{ 'token.access_token': access, 'token.token_type': type, 'token.expires_in': left }]
  },
})
