import { pause } from '../../../src/platform/clock.ts'
import type { Transport } from '../../../src/platform/egress/transport.ts'
import type { Stop } from '../../../src/platform/stop.ts'
import { secretsOf } from '../../../src/query/credentials/fields.ts'
import type { KeepsRefreshTokens } from '../../../src/query/credentials/refreshTokens.ts'
import type { Cellar, Incoming, OpenedCredential, Outgoing, Outside } from '../../../src/query/outside.ts'
import type { Batch } from '../../../src/query/rows.ts'
import type { House } from '../../../src/services/house.ts'
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
  /** How they have a browser do something, where there is one. */
  readonly browse?: NonNullable<Outside['browse']> | undefined
  /** How the commands of the job wait; a plain pause unless said otherwise. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>
  /** How long a target may be silent, where its user has said so. */
  readonly patienceMs?: number | undefined
  /** Counts bytes that came in. */
  readonly received?: (bytes: number) => void
}

/** The world outside as the commands of one job use it. */
export const openOutside = (house: House, transport: Transport, use: Use): Outside & KeepsRefreshTokens => new JobOutside(house, transport, use)

/** There is one for every row, so it is a class: what a row does not use costs it nothing. */
class JobOutside implements Outside, KeepsRefreshTokens {
  readonly browse?: NonNullable<Outside['browse']>
  readonly #house: House
  readonly #transport: Transport
  readonly #use: Use

  constructor(house: House, transport: Transport, use: Use) {
    if (use.browse) this.browse = use.browse
    this.#house = house
    this.#transport = transport
    this.#use = use
  }

  /** Sends by leave of the policies only. */
  async send(request: Outgoing, stop: Stop): Promise<Incoming> {
    const { gate, received, patienceMs } = this.#use
    try {
      const answer = await this.#transport.send(request, {
        signal: stop,
        patienceMs,
        beforeHop: (url) => gate.beforeHop(url, stop),
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

  rest(ms: number, signal: AbortSignal): Promise<void> {
    const { rest = pause } = this.#use
    return rest(ms, signal)
  }

  async credential(name: string): Promise<OpenedCredential> {
    const credential = await openCredential(this.#house, name)
    this.#use.secrets.add(secretsOf(credential))
    return credential
  }

  keepRefreshToken({ name }: OpenedCredential, token: string): Promise<void> {
    return keepRefreshToken(this.#house, name, token)
  }

  get cellar(): Cellar {
    const { queryId, apiKeyId, requestId, commits } = this.#use
    return openCellar(this.#house, commits, { queryId, apiKeyId: apiKeyId ?? 'schedule', requestId })
  }

  queries(filter: Parameters<Outside['queries']>[0]): Promise<Batch> {
    return recentQueries(this.#house, filter)
  }
}
