import type { Dispatcher } from 'undici'
import { Problem } from '../errors.ts'

/** Bytes that may wait for their reader before the socket is paused. */
const mostHeld = 65_536
/** What is read on to keep a connection alive rather than cut it off, in bytes and in time. */
const mostDrained = 65_536
const longestDrainMs = 1_000

/** The bytes of an answer as they arrive. They are read once: by iteration, or collected. */
export class ArrivingBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #controller: Dispatcher.DispatchController
  readonly #maxBytes: number
  readonly #who: string
  #parts: Buffer[] = []
  #held = 0
  #total = 0
  #ended = false
  #failure: { readonly reason: unknown } | null = null
  #mode: 'unread' | 'iterating' | 'collecting' | 'dropped' = 'unread'
  #wake: (() => void) | null = null

  constructor(controller: Dispatcher.DispatchController, maxBytes: number, who: string) {
    this.#controller = controller
    this.#maxBytes = maxBytes
    this.#who = who
  }

  /** Takes a piece from the connection. */
  take(part: Buffer): void {
    if (this.#ended || this.#failure) return
    this.#total += part.length
    if (this.#mode === 'dropped') {
      if (this.#total > mostDrained) this.#controller.abort(new Error('given up'))
      return
    }
    if (this.#total > this.#maxBytes) return this.refuse()
    this.#parts.push(part)
    this.#held += part.length
    if (this.#mode === 'collecting') return
    if (this.#held > mostHeld) this.#controller.pause()
    this.#awake()
  }

  /** Says that there is no more. */
  end(): void {
    this.#ended = true
    this.#awake()
  }

  /** Ends the body with a failure, which its reader is thrown. */
  fail(reason: unknown): void {
    if (this.#ended || this.#failure) return
    this.#failure = { reason }
    this.#parts = []
    this.#awake()
  }

  /** Ends a body that is longer than the bound, and its connection. */
  refuse(): void {
    const problem = tooLarge(this.#who, this.#maxBytes)
    this.fail(problem)
    this.#controller.abort(problem)
  }

  [Symbol.asyncIterator](): this {
    this.#begin('iterating')
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const part = this.#parts.shift()
      if (part !== undefined) {
        this.#held -= part.length
        if (this.#held <= mostHeld) this.#controller.resume()
        return { value: part, done: false }
      }
      if (this.#over()) return { value: undefined, done: true }
      await this.#change()
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.drop()
    return Promise.resolve({ value: undefined, done: true })
  }

  /** The whole body. */
  async collect(): Promise<Buffer> {
    this.#begin('collecting')
    this.#controller.resume()
    while (!this.#over()) await this.#change()
    const [first] = this.#parts
    return this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#held)
  }

  /** Gives the rest up: a short one is read on, so that the connection lives; a long one is cut off. */
  drop(): void {
    if (this.#mode === 'dropped') return
    this.#mode = 'dropped'
    this.#parts = []
    this.#awake()
    if (this.#ended || this.#failure) return
    if (this.#total > mostDrained) return this.#controller.abort(new Error('given up'))
    setTimeout(() => this.#ended || this.#failure || this.#controller.abort(new Error('given up')), longestDrainMs).unref()
    this.#controller.resume()
  }

  #begin(mode: 'iterating' | 'collecting'): void {
    if (this.#mode !== 'unread') throw new Error('This body has been read or given up already.')
    this.#mode = mode
  }

  #over(): boolean {
    if (this.#failure) throw this.#failure.reason
    return this.#ended || this.#mode === 'dropped'
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #awake(): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }
}

/** The problem of an answer beyond its bound. */
export function tooLarge(who: string, maxBytes: number): Problem {
  return new Problem('target_too_large', `The answer of ${who} is longer than ${maxBytes.toLocaleString('en')} bytes.`)
}
