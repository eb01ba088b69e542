import { Problem, type ErrorCode } from '../../../src/platform/errors.ts'
import type { Need, Pool } from '../pool.ts'
import { Tab, type TabOptions } from './tab.ts'

/** What tasks work with. */
export interface TaskTools extends TabOptions {
  readonly pool: Pick<Pool, 'use'>
  /** For all attempts together. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /** The page lives on for other tasks: what this one has set up in it is taken away. */
  readonly keepsPage?: boolean | undefined
}

/** Failures that another attempt cannot mend. */
const lasting: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'target_forbidden', 'validation_failed', 'unprocessable', 'target_too_large', 'job_timeout', 'unavailable',
])

/** Runs a step in a fresh context, and again where it failed and attempts are left; answers with how many it took. */
export async function inAttempts<T>(
  { pool, deadlineMs, signal, permit, answered, navigationMs, keepsPage }: TaskTools,
  { retry = 0, ...need }: Pick<Need, 'proxy' | 'offline'> & { readonly retry?: number },
  step: (tab: Tab) => Promise<T>,
): Promise<{ readonly answer: T; readonly attempts: number }> {
  const end = Date.now() + deadlineMs
  for (let attempts = 1; ; attempts += 1) {
    let refused = false
    const ask = permit && ((url: string): Promise<void> => permit(url).catch((error: unknown) => {
      refused = true
      throw error
    }))
    try {
      const whole = { ...need, signal, deadlineMs: Math.max(1, end - Date.now()) }
      const answer = await pool.use(whole, async (visit) => {
        const tab = await Tab.open(visit, { permit: ask, answered, navigationMs })
        const done = await step(tab)
        if (keepsPage) await tab.close()
        return done
      })
      return { answer, attempts }
    } catch (error) {
      if (refused || attempts > retry || signal.aborted || (error instanceof Problem && lasting.has(error.code))) throw error
    }
  }
}
