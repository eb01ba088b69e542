import type { Batch } from './rows.ts'
import type { Scratch } from './scratch.ts'
import { HeldBatches } from './spill/heldBatches.ts'

/** Batches that can be read several times; each is made once, when the first reader comes to it. */
export class KeptBatches {
  readonly #source: AsyncIterator<Batch>
  readonly #held: HeldBatches
  #ended = false
  #pulling: Promise<void> | undefined

  constructor(source: AsyncIterable<Batch>, scratch: Scratch) {
    this.#source = source[Symbol.asyncIterator]()
    this.#held = new HeldBatches(scratch)
  }

  /** All batches from the first; a reader that stops early leaves the rest to the others. */
  async *read(): AsyncGenerator<Batch> {
    for (let at = 0; ; ) {
      for await (const batch of this.#held.read(at)) {
        yield batch
        at += batch.length
      }
      if (this.#ended && at >= this.#held.rows) return
      if (at >= this.#held.rows) await this.#next()
    }
  }

  /** Ends the source, whether it was read to its end or not. */
  async close(): Promise<void> {
    this.#ended = true
    await this.#source.return?.()
    await this.#held.drop()
  }

  /** Readers that come to the same place wait for the same batch. */
  #next(): Promise<void> {
    this.#pulling ??= this.#pull().finally(() => (this.#pulling = undefined))
    return this.#pulling
  }

  async #pull(): Promise<void> {
    const next = await this.#source.next()
    if (next.done) this.#ended = true
    else await this.#held.add(next.value)
  }
}
