import { Problem } from '../platform/errors.ts'

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

  /** Lets a request of this key in, or refuses it; the answer lets it out again. */
  enter(keyId: string): () => void {
    const ofKey = this.#perKey.get(keyId) ?? 0
    if (this.#running >= this.#maxRequests) throw new Problem('overloaded', 'Too many requests are being worked on; try again shortly.', { retryAfterS: 1 })
    if (ofKey >= this.#maxPerKey) throw new Problem('too_many_requests', `This key has ${ofKey} requests under way; wait for some of them.`, { retryAfterS: 1 })
    this.#running += 1
    this.#perKey.set(keyId, ofKey + 1)
    return () => this.#leave(keyId)
  }

  #leave(keyId: string): void {
    this.#running -= 1
    const left = (this.#perKey.get(keyId) ?? 1) - 1
    if (left === 0) this.#perKey.delete(keyId)
    else this.#perKey.set(keyId, left)
  }
}
