import type { Batch } from './rows.ts'

/** Batches that can be read several times; each is made once, when the first reader comes to it. */
export class KeptBatches {
  readonly #source: AsyncIterator<Batch>
  readonly #batches: Batch[] = []
  #ended = false

  constructor(source: AsyncIterable<Batch>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** All batches from the first; a reader that stops early leaves the rest to the others. */
  async *read(): AsyncGenerator<Batch> {
    for (let at = 0; ; at += 1) {
      while (at >= this.#batches.length && !this.#ended) await this.#pull()
      const batch = this.#batches[at]
      if (!batch) return
      yield batch
    }
  }

  /** Ends the source, whether it was read to its end or not. */
  async close(): Promise<void> {
    this.#ended = true
    await this.#source.return?.()
  }

  async #pull(): Promise<void> {
    const next = await this.#source.next()
    if (next.done) this.#ended = true
    else this.#batches.push(next.value)
  }
}
