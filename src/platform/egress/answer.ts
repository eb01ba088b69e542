import type { ArrivingBody } from './body.ts'
import { codingsOf, decode, type DecodingBounds } from './decoding.ts'
import type { Incoming } from './exchange.ts'

/** The head of an answer. */
export interface Head {
  readonly status: number
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly ms: number
}

/** An answer whose body is still arriving. */
export class Answer implements Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly ms: number
  readonly #url: URL
  readonly #raw: ArrivingBody
  readonly #bounds: DecodingBounds

  constructor(head: Head, raw: ArrivingBody, bounds: DecodingBounds) {
    this.status = head.status
    this.headers = head.headers
    this.ms = head.ms
    this.#url = head.url
    this.#raw = raw
    this.#bounds = bounds
  }

  get url(): string {
    return this.#url.href
  }

  get body(): AsyncIterable<Uint8Array> {
    const codings = codingsOf(this.headers['content-encoding'])
    return codings.length === 0 ? this.#raw : this.#decoded(codings)
  }

  bytes(): Promise<Buffer> {
    return this.headers['content-encoding'] === undefined ? this.#raw.collect() : this.#gather()
  }

  discard(): void {
    this.#raw.drop()
  }

  async *#decoded(codings: readonly string[]): AsyncGenerator<Uint8Array> {
    try {
      yield* decode(this.#raw, codings, this.#bounds)
    } finally {
      this.#raw.drop()
    }
  }

  async #gather(): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.body) parts.push(part)
    return Buffer.concat(parts)
  }
}
