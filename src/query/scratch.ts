import type { Batch } from './rows.ts'

/** Room on disk for stages whose rows do not fit into memory. */
export interface Scratch {
  /** Bytes that one stage may hold in memory before it must use the disk. */
  readonly memoryBytes: number
  /** A new, empty run of batches on disk. */
  open(): Promise<SpilledRun>
}

/** Batches that were put on disk, to be read back in the same order, once or several times. */
export interface SpilledRun {
  write(batch: Batch): Promise<void>
  /** Ends the writing; afterwards it can be read. */
  end(): Promise<void>
  read(): AsyncIterable<Batch>
  /** Gives the room back; also done for all runs when the stage ends. */
  drop(): Promise<void>
}
