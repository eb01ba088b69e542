import { Problem } from '../platform/errors.ts'

/** One request that was let in. */
export interface Visit {
  /** Counts it for its key, or refuses it. */
  countFor(keyId: string): void
  leave(): void
}

/** Caps on the requests that one process works on at once: beyond them an answer comes quickly, and no work is begun. */
export class Admission {
  readonly #maxRequests: number
  readonly #maxPerKey: number
  readonly #perKey = new Map<string, number>()
  #running = 0

  constructor(maxRequests: number, maxPerKey: number) {
    this.#maxRequests = maxRequests
    this.#maxPerKey = maxPerKey
  }

  /** Lets a request in before anything is known of it, or refuses it. */
  enter(): Visit {
    if (this.#running >= this.#maxRequests) throw new Problem('overloaded', 'Too many requests are being worked on; try again shortly.', { retryAfterS: 1 })
    this.#running += 1
    let counted: string | undefined
    return {
      countFor: (keyId) => {
        this.#count(keyId)
        counted = keyId
      },
      leave: () => {
        this.#running -= 1
        if (counted !== undefined) this.#discount(counted)
      },
    }
  }

  #count(keyId: string): void {
    const ofKey = this.#perKey.get(keyId) ?? 0
    if (ofKey >= this.#maxPerKey) throw new Problem('too_many_requests', `This key has ${ofKey} requests under way; wait for some of them.`, { retryAfterS: 1 })
    this.#perKey.set(keyId, ofKey + 1)
  }

  #discount(keyId: string): void {
    const left = (this.#perKey.get(keyId) ?? 1) - 1
    if (left === 0) this.#perKey.delete(keyId)
    else this.#perKey.set(keyId, left)
  }
}
