import type pg from 'pg'

/** What a stage has still to do when its end is known. */
export interface Commits {
  /**
   * Runs in the transaction that ends the stage, under its fence; read committed, and after all else that the transaction locks.
   * Where it throws, nothing of the stage is kept. It may be run again from the start, in another transaction.
   */
  atEnd(step: (client: pg.PoolClient) => Promise<void>): void
  /** Runs when the stage did not succeed; not where it is in doubt whether that transaction was committed. */
  undo(step: () => Promise<void>): void
}
