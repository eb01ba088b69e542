import type { PolicyGate } from '../query/outside/policyGate.ts'
import type { TaskTools } from './steps/tasks.ts'

/** Asks the policies before every document of a page. */
export interface Permits extends Required<Pick<TaskTools, 'permit' | 'answered'>> {
  /** Asks before a browser is taken: whoever must wait then holds none. */
  ahead(url: string): Promise<void>
}

/** The permits of one job or run. */
export function permitsBy(gate: PolicyGate, signal: AbortSignal): Permits {
  let isAhead = false
  return {
    async ahead(url) {
      await gate.beforeHop(new URL(url), signal)
      isAhead = true
    },
    async permit(url) {
      if (!isAhead) await gate.beforeHop(new URL(url), signal)
      isAhead = false
      while (!gate.sending()) await gate.beforeHop(new URL(url), signal)
    },
    answered: (answer) => gate.answered(answer),
  }
}
