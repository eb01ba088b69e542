import type { Row } from './rows.ts'

/** Room on disk for stages whose rows do not fit into memory. */
export interface Scratch {
  /** Bytes that one stage may hold in memory before it must use the disk. */
  readonly memoryBytes: number
  /** A new, empty run of items on disk; an item is anything that JSON holds. */
  open<Item = Row>(): Promise<SpilledRun<Item>>
}

/** Items that were put on disk, to be read back in the same order, once or several times. */
export interface SpilledRun<Item = Row> {
  write(items: readonly Item[]): Promise<void>
  /** Ends the writing; afterwards it can be read. */
  end(): Promise<void>
  /** All items; those that were written together come together, unless they are large. */
  read(): AsyncIterable<Item[]>
  /** Gives the room back; also done for all runs when the stage ends. */
  drop(): Promise<void>
}
