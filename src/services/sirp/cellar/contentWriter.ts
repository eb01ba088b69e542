import { createHash } from 'node:crypto'
import { tooManyBytes } from '../../../platform/arrival.ts'
import { newId } from '../../../platform/ids.ts'
import { chunkBytes, discardContent, type Statements } from './contents.ts'

/** A content whose chunks are all stored. */
export interface StoredContent {
  readonly id: string
  readonly bytes: number
  readonly sha256: string
  /** Its first bytes, by which its format may be told. */
  readonly head: Buffer
}

/** Chunks that may be on their way to the database at once. */
const maxInFlight = 2
const headBytes = 65_536

/** Stores bytes of any number as a content that no file holds yet, with a few chunks in memory at most. */
export class ContentWriter {
  readonly #pool: Statements
  readonly #maxBytes: number
  readonly #id = newId()
  readonly #hash = createHash('sha256')
  readonly #inFlight = new Set<Promise<void>>()
  #chunk = Buffer.allocUnsafe(0)
  #filled = 0
  #sequence = 0
  #bytes = 0
  #head: Buffer | undefined
  #failure: Error | undefined
  #opened = false

  constructor(pool: Statements, maxBytes: number) {
    this.#pool = pool
    this.#maxBytes = maxBytes
  }

  /** Takes the next bytes; resolves when there is room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#bytes += bytes.length
    if (this.#bytes > this.#maxBytes) throw tooManyBytes(this.#maxBytes, 'file')
    for (let at = 0; at < bytes.length; ) {
      if (this.#filled === this.#chunk.length) await this.#startChunk()
      const room = Math.min(this.#chunk.length - this.#filled, bytes.length - at)
      this.#chunk.set(bytes.subarray(at, at + room), this.#filled)
      this.#filled += room
      at += room
    }
  }

  /** Stores what is left and waits until everything is stored. */
  async finish(): Promise<StoredContent> {
    await this.#open()
    this.#sendChunk()
    await Promise.all(this.#inFlight)
    if (this.#failure) throw this.#failure
    return { id: this.#id, bytes: this.#bytes, sha256: this.#hash.digest('hex'), head: this.#head ?? Buffer.alloc(0) }
  }

  /** Removes whatever was stored. */
  async discard(): Promise<void> {
    await Promise.all(this.#inFlight)
    if (this.#opened) await discardContent(this.#pool, this.#id)
  }

  async #open(): Promise<void> {
    if (this.#opened) return
    await this.#pool.query({ name: 'cellar-content-open', text: 'INSERT INTO cellar_contents (id) VALUES ($1)', values: [this.#id] })
    this.#opened = true
  }

  async #startChunk(): Promise<void> {
    await this.#open()
    this.#sendChunk()
    while (this.#inFlight.size >= maxInFlight) await Promise.race(this.#inFlight)
    if (this.#failure) throw this.#failure
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes)
  }

  #sendChunk(): void {
    const bytes = this.#chunk.subarray(0, this.#filled)
    this.#chunk = Buffer.allocUnsafe(0)
    this.#filled = 0
    if (bytes.length === 0) return
    this.#hash.update(bytes)
    this.#head ??= Buffer.from(bytes.subarray(0, headBytes))
    const stored = this.#store(this.#sequence, bytes).catch((error: unknown) => {
      this.#failure = error as Error // the driver rejects with nothing else
    })
    this.#sequence += 1
    this.#inFlight.add(stored)
    void stored.then(() => this.#inFlight.delete(stored))
  }

  async #store(sequence: number, bytes: Buffer): Promise<void> {
    const text = 'INSERT INTO cellar_chunks (content_id, sequence, bytes) VALUES ($1, $2, $3)'
    await this.#pool.query({ name: 'cellar-chunk-store', text, values: [this.#id, sequence, bytes] })
  }
}
