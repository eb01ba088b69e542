import type { Transport } from '../../../src/platform/egress/transport.ts'
import type { Outside } from '../../../src/query/outside.ts'
import type { House } from '../../../src/services/house.ts'
import { openCredential } from '../../../src/services/secrets/openCredential.ts'
import { recentQueries } from '../../../src/services/sirp/engine/recentQueries.ts'
import type { Commits } from '../commits.ts'
import { openCellar } from './cellar.ts'

/** On whose behalf the outside is used, and what hears of it. */
export interface Use {
  readonly queryId: string
  readonly apiKeyId: string | null
  readonly requestId: string
  readonly commits: Commits
  /** Awaited right before each request leaves; throws where the policy of its domain says to wait. */
  readonly beforeHop?: (url: URL) => Promise<void>
  /** Counts bytes that came in. */
  readonly received?: (bytes: number) => void
}

/** The world outside as the commands of one job use it. */
export function openOutside(house: House, transport: Transport, { queryId, apiKeyId, requestId, commits, beforeHop, received }: Use): Outside {
  const hooks = { ...(beforeHop ? { beforeHop } : {}), ...(received ? { received } : {}) }
  return {
    send: (request, signal) => transport.send(request, { signal, ...hooks }),
    credential: (name) => openCredential(house, name),
    cellar: openCellar(house, commits, { queryId, apiKeyId: apiKeyId ?? '', requestId }),
    queries: (filter) => recentQueries(house, filter),
  }
}
