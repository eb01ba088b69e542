import { Problem, type ErrorCode } from '../../../src/platform/errors.ts'
import type { FlightRecorder } from '../flight/recorder.ts'
import type { Trip } from '../flight/trip.ts'
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
  /** Remembers what the page does, for whoever wants to know why the task failed. */
  readonly recorder?: FlightRecorder | null | undefined
}

/** Failures that another attempt cannot mend. */
const lasting: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'target_forbidden', 'validation_failed', 'unprocessable', 'target_too_large', 'job_timeout', 'unavailable',
])

/** Runs a step in a fresh context, and again where it failed and attempts are left; answers with how many it took. */
export async function inAttempts<T>(
  { pool, deadlineMs, signal, permit, answered, navigationMs, keepsPage, recorder }: TaskTools,
  { retry = 0, ...need }: Pick<Need, 'proxy' | 'offline'> & { readonly retry?: number },
  step: (tab: Tab) => Promise<T>,
): Promise<{ readonly answer: T; readonly attempts: number }> {
  const end = Date.now() + deadlineMs
  for (let attempts = 1; ; attempts += 1) {
    let refused = false
    let trip: Trip | undefined
    const ask = permit && ((url: string): Promise<void> => permit(url).catch((error: unknown) => {
      refused = true
      throw error
    }))
    try {
      const whole = { ...need, signal, deadlineMs: Math.max(1, end - Date.now()), failed: async (error: unknown) => trip?.land(error) }
      const answer = await pool.use(whole, async (visit) => {
        const tab = await Tab.open(visit, { permit: ask, answered, navigationMs })
        trip = recorder?.board(tab)
        const done = await step(tab)
        trip?.end()
        if (keepsPage) await tab.close()
        return done
      })
      return { answer, attempts }
    } catch (error) {
      if (refused || attempts > retry || signal.aborted || (error instanceof Problem && lasting.has(error.code))) throw error
    }
  }
}
