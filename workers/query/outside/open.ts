import type { Transport } from '../../../src/platform/egress/transport.ts'
import type { KeepsRefreshTokens } from '../../../src/query/credentials/refreshTokens.ts'
import type { Outside } from '../../../src/query/outside.ts'
import type { House } from '../../../src/services/house.ts'
import { pause } from '../../../src/platform/clock.ts'
import { keepRefreshToken } from '../../../src/services/secrets/keepRefreshToken.ts'
import { openCredential } from '../../../src/services/secrets/openCredential.ts'
import { recentQueries } from '../../../src/services/sirp/engine/recentQueries.ts'
import type { Commits } from '../commits.ts'
import { openCellar } from './cellar.ts'
import type { PolicyGate } from './policyGate.ts'
import type { UsedSecrets } from './secrets.ts'

/** On whose behalf the outside is used, and what hears of it. */
export interface Use {
  readonly queryId: string
  readonly apiKeyId: string | null
  readonly requestId: string
  readonly commits: Commits
  readonly gate: PolicyGate
  readonly secrets: UsedSecrets
  /** How the commands of the job wait; a plain pause unless said otherwise. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Counts bytes that came in. */
  readonly received?: (bytes: number) => void
}

/** The world outside as the commands of one job use it. */
export function openOutside(house: House, transport: Transport, use: Use): Outside & KeepsRefreshTokens {
  const { queryId, apiKeyId, requestId, commits, secrets } = use
  return {
    send: sender(transport, use),
    rest: use.rest ?? pause,
    async credential(name) {
      const credential = await openCredential(house, name)
      secrets.add(credential.values)
      return credential
    },
    keepRefreshToken: ({ name }, token) => keepRefreshToken(house, name, token),
    get cellar() {
      return openCellar(house, commits, { queryId, apiKeyId: apiKeyId ?? 'schedule', requestId })
    },
    queries: (filter) => recentQueries(house, filter),
  }
}

/** Sends by leave of the policies only. */
function sender(transport: Transport, { gate, received }: Use): Outside['send'] {
  return async (request, signal) => {
    try {
      const answer = await transport.send(request, {
        signal,
        beforeHop: (url) => gate.beforeHop(url, signal),
        sending: () => gate.sending(),
        ...(received ? { received } : {}),
      })
      gate.answered(answer)
      return answer
    } catch (error) {
      gate.failed()
      throw error
    }
  }
}
