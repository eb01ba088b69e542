import type { BrowserTask, BrowserTasks } from '../../src/query/browser/tasks.ts'
import { storeImage } from '../../src/services/screenshot/store.ts'
import type { House } from '../../src/services/house.ts'
import type { PolicyGate } from '../query/outside/policyGate.ts'
import { permitsBy } from './permits.ts'
import { tasks, type Done, type TaskTools } from './steps/tasks.ts'

/** What a task may use, and how long it may take. */
export interface TaskMeans extends Pick<TaskTools, 'pool' | 'keepsPage' | 'recorder'> {
  readonly house: House
  readonly gate: PolicyGate
  readonly signal: AbortSignal
  readonly deadlineMs: number
}

/** Runs a task by leave of the policies, and keeps the picture that it took. */
export async function runTask<Name extends BrowserTask>(name: Name, draft: BrowserTasks[Name]['draft'], means: TaskMeans): Promise<BrowserTasks[Name]['answer']> {
  const { house, gate, signal, pool, deadlineMs, keepsPage, recorder } = means
  const { ahead, permit, answered } = permitsBy(gate, signal)
  const startedAt = performance.now()
  if ('url' in draft) await ahead(draft.url)
  try {
    const left = Math.max(1, deadlineMs - (performance.now() - startedAt))
    const tools: TaskTools = { pool, keepsPage, recorder, deadlineMs: left, signal, permit, answered, navigationMs: house.env.browserNavMs }
    const run = tasks[name] as (draft: BrowserTasks[Name]['draft'], tools: TaskTools) => Promise<Done<BrowserTasks[Name]['answer']>> // both are looked up by the same name
    const { answer, picture } = await run(draft, tools)
    if (picture) await storeImage(house, picture)
    return answer
  } finally {
    gate.failed() // a permit that was not used, or whose document never came, is of no use to anybody
  }
}
