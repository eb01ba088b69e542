import type { Batch } from './rows.ts'

/** Batches that are all made, also where their reader stops early, as `head` does: someone else reads them later. */
export class WholeBatches {
  readonly #source: AsyncIterator<Batch>

  constructor(source: AsyncIterable<Batch>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** A reader that stops early leaves the rest to be made. */
  async *read(): AsyncGenerator<Batch> {
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) yield next.value
  }

  /** Makes the batches that nobody has asked for. */
  async finish(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  /** Ends the source, whether it was read to its end or not. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }
}
