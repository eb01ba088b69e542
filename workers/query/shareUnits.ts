import type { QueueName } from '../../src/contract/queues.ts'
import type { House } from '../../src/services/house.ts'
import { queueOf } from '../../src/services/queuesOf.ts'

/** What decides how a stage is shared among processes. */
export interface Sharing {
  /** Input rows of the stage. */
  readonly rows: number
  /** Rows that one job of the command may take. */
  readonly rowsPerJob: number
  /** Rows that one process works on at once. */
  readonly rowsAtOnce: number
  /** Whether the rows of one unit run one after another. */
  readonly inTurn: boolean
  readonly processes: number
}

/** Units that one process has at least, where there are rows for them: while one is ended, the others go on. */
const unitsPerProcess = 4

/**
 * Divides the rows of a stage into units. So many of them are in the queue or at work at once as keep every process busy with one
 * round of rows while the next one waits: a process that took more would only keep them from the others.
 */
export function shareUnits({ rows, rowsPerJob, rowsAtOnce, inTurn, processes }: Sharing): { rowsPerUnit: number; unitsAtOnce: number } {
  const leastUnits = processes * (inTurn ? rowsAtOnce * 2 : unitsPerProcess)
  // A process takes units faster than it works them off, so small ones are shared more evenly; to a process alone each costs only time.
  const most = processes === 1 && !inTurn ? rowsPerJob : Math.min(rowsPerJob, Math.ceil(rowsAtOnce / 2))
  const rowsPerUnit = Math.max(1, Math.min(most, Math.ceil(rows / leastUnits)))
  return { rowsPerUnit, unitsAtOnce: Math.max(unitsPerProcess, Math.ceil((2 * rowsAtOnce * processes) / rowsPerUnit)) }
}

/** How long a count of processes may be believed. */
const freshMs = 2_000

const counts = new WeakMap<House, Map<QueueName, { readonly at: number; readonly count: Promise<number> }>>()

/** The processes that serve a queue now; one where Redis does not tell. */
export function countProcesses(house: House, queue: QueueName): Promise<number> {
  const mine = counts.get(house) ?? new Map<QueueName, { at: number; count: Promise<number> }>()
  counts.set(house, mine)
  const known = mine.get(queue)
  if (known && performance.now() - known.at < freshMs) return known.count
  const count = queueOf(house, queue).getWorkersCount().then((found) => Math.max(1, found)).catch(() => 1)
  mine.set(queue, { at: performance.now(), count })
  return count
}
