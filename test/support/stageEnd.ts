import type pg from 'pg'
import type { Commits } from '../../workers/query/commits.ts'

/** The end of a stage as the engine brings it about. */
export interface StageEnd {
  readonly commits: Commits
  /** Runs the steps in one transaction; where it fails, undoes what the stage did. */
  succeed(): Promise<void>
  fail(): Promise<void>
}

/** The end of one stage, with a connection of the pool for its transaction. */
export function openStageEnd(pool: pg.Pool): StageEnd {
  const steps: ((client: pg.PoolClient) => Promise<void>)[] = []
  const undos: (() => Promise<void>)[] = []
  const fail = async (): Promise<void> => {
    for (const undo of undos) await undo()
  }
  return {
    commits: { atEnd: (step) => void steps.push(step), undo: (step) => void undos.push(step) },
    fail,
    async succeed() {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        for (const step of steps) await step(client)
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        await fail()
        throw error
      } finally {
        client.release()
      }
    },
  }
}
