import { once } from 'node:events'

/** An access token as it was answered. */
export interface AccessToken {
  readonly access: string
  readonly type: string
  /** Seconds that it lasts from when it was answered, where that is known. */
  readonly lifeS?: number
  readonly gotAtMs: number
}

const maxKept = 1_000
/** How long a token is kept that does not say when it ends. */
const unsaidLifeS = 300
/** A token is not used for its last seconds: it must last until the request has arrived. */
const marginS = 60

interface Flight {
  readonly token: Promise<AccessToken>
  readonly signal: AbortSignal
}

/** Keeps tokens until shortly before they end; when many ask for the same one at a time, it is got once. */
export class TokenCache {
  readonly #kept = new Map<string, AccessToken>()
  readonly #flights = new Map<string, Flight>()

  async get(key: string, signal: AbortSignal, ask: () => Promise<AccessToken>): Promise<AccessToken> {
    for (;;) {
      signal.throwIfAborted()
      const kept = this.#kept.get(key)
      if (kept && isFresh(kept)) return kept
      const flight = this.#flights.get(key) ?? this.#start(key, signal, ask)
      try {
        return await unlessAborted(flight.token, signal)
      } catch (error) {
        // Who was first gave up; that is no failure for the others.
        if (flight.signal === signal || signal.aborted || !flight.signal.aborted) throw error
      }
    }
  }

  #start(key: string, signal: AbortSignal, ask: () => Promise<AccessToken>): Flight {
    const got = ask().then((token) => this.#keep(key, token))
    const flight = { signal, token: unlessAborted(got, signal).finally(() => this.#flights.delete(key)) }
    this.#flights.set(key, flight)
    return flight
  }

  #keep(key: string, token: AccessToken): AccessToken {
    this.#kept.delete(key)
    this.#kept.set(key, token)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest)
    return token
  }
}

function isFresh({ gotAtMs, lifeS = unsaidLifeS }: AccessToken): boolean {
  return Date.now() < gotAtMs + (lifeS - Math.min(marginS, lifeS / 10)) * 1_000
}

async function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stop = new AbortController()
  try {
    const aborted = once(signal, 'abort', { signal: stop.signal }).then(() => signal.throwIfAborted())
    return (await Promise.race([promise, aborted])) as Result // the other one only ever throws
  } finally {
    stop.abort()
  }
}
