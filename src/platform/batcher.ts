/** Bounds of a batcher. */
export interface BatchBounds {
  /** Most items that one batch takes. */
  readonly maxItems: number
  /** Batches that may be under way at once. */
  readonly lanes: number
  /** How long the first item of a batch waits for others, where nobody is in a hurry; else no longer than this turn of the event loop. */
  readonly gatherMs?: number
}

interface Pending<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Does many small pieces of work together: whatever arrives while a batch is under way makes up the next one, so that
 * nothing waits for company when there is none, and a crowd shares one trip and one commit.
 */
export class Batcher<Item, Result> {
  readonly #perform: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #bounds: BatchBounds
  readonly #pending: Pending<Item, Result>[] = []
  #running = 0
  #scheduled = false
  #lastCount = 0

  /** `perform` answers one result an item, in their order. */
  constructor(perform: (items: readonly Item[]) => Promise<readonly Result[]>, bounds: BatchBounds = { maxItems: 200, lanes: 1 }) {
    this.#perform = perform
    this.#bounds = bounds
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  /** What arrives in the same turn of the event loop goes together; where the last item came alone, this one does not wait for its turn to end. */
  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#bounds.lanes || this.#pending.length === 0) return
    this.#scheduled = true
    const begin = (): void => {
      this.#scheduled = false
      void this.#runBatch()
    }
    if (this.#bounds.gatherMs !== undefined) setTimeout(begin, this.#bounds.gatherMs)
    else if (this.#lastCount > 1) setImmediate(begin)
    else queueMicrotask(begin)
  }

  async #runBatch(): Promise<void> {
    const batch = this.#pending.splice(0, this.#bounds.maxItems)
    if (batch.length === 0) return
    this.#lastCount = batch.length
    this.#running += 1
    this.#schedule()
    const settle = await this.#settler(batch)
    this.#running -= 1
    // The next batch is on its way before those of this one go on: they may have much to do.
    if (this.#bounds.gatherMs === undefined && !this.#scheduled) void this.#runBatch()
    else this.#schedule()
    settle()
  }

  /** Performs a batch; answers how to tell its items what came of it. */
  async #settler(batch: readonly Pending<Item, Result>[]): Promise<() => void> {
    try {
      const results = await this.#perform(batch.map(({ item }) => item))
      return () => batch.forEach(({ resolve }, index) => resolve(results[index] as Result)) // perform answers one an item
    } catch (error) {
      return () => batch.forEach(({ reject }) => reject(error))
    }
  }
}
