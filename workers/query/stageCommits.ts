import type pg from 'pg'
import { Problem } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import { storableText } from '../../src/platform/storableText.ts'
import { cellAt } from '../../src/query/columns.ts'
import type { Row } from '../../src/query/rows.ts'
import type { Commits } from './commits.ts'

/** Collects what the stages of a pass have still to do when their end is known. */
export class StageCommits implements Commits {
  readonly steps: ((client: pg.PoolClient) => Promise<void>)[] = []
  readonly #undoing: (() => Promise<void>)[] = []

  atEnd(step: (client: pg.PoolClient) => Promise<void>): void {
    this.steps.push(step)
  }

  undo(step: () => Promise<void>): void {
    this.#undoing.push(step)
  }

  /** Takes back what was prepared; called only where it is sure that nothing was committed. */
  async undoAll(): Promise<void> {
    for (const step of this.#undoing) await step()
  }
}

/** What `--checkpoint name:column` asks for. */
export interface CheckpointFlag {
  readonly name: string
  readonly column: string
}

/** Reads the flag; names may hold no colon, columns may. */
export function checkpointOf(flags: Readonly<Record<string, unknown>>): CheckpointFlag | null {
  const flag = flags['checkpoint']
  if (typeof flag !== 'string') return null
  const [name = '', ...column] = flag.split(':')
  if (name.trim() === '' || column.length === 0) throw new Problem('unprocessable', '--checkpoint must be "<name>:<column>".')
  return { name, column: column.join(':') }
}

/** Stores a column of the first row as a checkpoint, in the transaction that ends its stage; no row leaves it as it is. */
export function keepCheckpoint({ name, column }: CheckpointFlag, firstRow: () => Row | undefined): (client: pg.PoolClient) => Promise<void> {
  return async (client) => {
    const row = firstRow()
    if (!row || !Object.hasOwn(row, column)) return
    const cell = cellAt(row, column)
    // The names of checkpoints are unique by an exclusion constraint, which knows no upsert: this puts two writers of one in line.
    await client.query({ name: 'checkpoint-lock', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', values: [name] })
    const values = [name, cell === null ? '' : storableText(String(cell))]
    const { rowCount } = await client.query({ name: 'checkpoint-update', text: 'UPDATE checkpoints SET checkpoint = $2, version = version + 1, updated_at = now() WHERE name = $1', values })
    if (rowCount === 0) await client.query({ name: 'checkpoint-insert', text: 'INSERT INTO checkpoints (id, name, checkpoint) VALUES ($3, $1, $2)', values: [...values, newId()] })
  }
}
