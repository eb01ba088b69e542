import { pause } from '../../src/platform/clock.ts'
import { errorCatalogue, Problem } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import { LightStop } from '../../src/platform/stop.ts'
import { keepColumns, withCells } from '../../src/query/columns.ts'
import type { EachContext } from '../../src/query/command.ts'
import type { Outside } from '../../src/query/outside.ts'
import type { Batch, Row } from '../../src/query/rows.ts'
import type { RowClock } from './rowClock.ts'
import type { RowCall, UnitWork } from './unitWork.ts'

/** How one run of a command ended. */
export type RowEnd = { readonly rows: Batch } | { readonly error: Problem }

/** What a run came to. */
export interface RowOutcome {
  readonly end: RowEnd
  readonly attempts: number
  readonly ms: number
}

/** What a run may use. */
export interface RunMeans {
  readonly outside: Outside
  readonly signal: AbortSignal
  /** The runs that end when the signal does. */
  readonly running: Set<LightStop>
  readonly timeoutMs: number
  readonly clock: RowClock
}

const firstPauseMs = 250

/** Runs a command for one row, as often as `--retry` allows; only failures that may pass are tried again. */
export async function runRow(work: UnitWork, call: RowCall, means: RunMeans): Promise<RowOutcome> {
  const retries = Number(work.stage.flags['retry'] ?? 0)
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    call.warnings.length = 0
    const end = await tryRow(work, call, means)
    if ('rows' in end || attempt > retries || !mayPass(end.error)) return { end, attempts: attempt, ms: performance.now() - startedAt }
    await pause(firstPauseMs * 2 ** (attempt - 1), means.signal)
    means.signal.throwIfAborted()
  }
}

/** Whether a failure may be gone at the next try; a target that refuses a request will refuse it again. */
function mayPass({ code, options }: Problem): boolean {
  const status = options.extra?.['targetStatus']
  if (code === 'target_status' && typeof status === 'number') return status >= 500 || status === 429 || status === 408
  return errorCatalogue[code].retryable
}

/** One try. Expected failures are an answer; a stop of the whole unit, and a policy that asks to wait, are thrown on. */
async function tryRow(work: UnitWork, call: RowCall, { outside, signal, running, timeoutMs, clock }: RunMeans): Promise<RowEnd> {
  signal.throwIfAborted()
  const stop = new LightStop()
  running.add(stop)
  try {
    const rows = await new Promise<Batch>((resolve, reject) => {
      // Ends at once, whatever the command waits for.
      stop.addEventListener('abort', { handleEvent: () => reject(stop.reason) })
      clock.begin(timeoutMs, () => stop.abort(tooLong))
      collect(work, call, outside, stop).then(resolve, reject)
    })
    return { rows }
  } catch (error) {
    signal.throwIfAborted()
    if (stop.aborted) return { error: new Problem('target_timeout', `The command took longer than ${timeoutMs.toLocaleString('en')} ms; --timeout allows more.`) }
    if (error instanceof Problem) return { error }
    throw error
  } finally {
    clock.stop()
    running.delete(stop)
  }
}

const tooLong = new DOMException('The command took too long.', 'TimeoutError')

async function collect(work: UnitWork, call: RowCall, outside: Outside, stop: LightStop): Promise<Batch> {
  const { each, name } = work.stage.command
  if (!each) throw new Problem('not_built', `The command ${name} comes with the browser cluster, which this version does not have yet.`)
  const context = new RunContext(call, outside, stop)
  const { args, flags } = work.valuesFor(call)
  const made = each(call.row, { args, flags, context } as never) // bindStage read them with this command's own parameters
  if (made instanceof Promise) return made
  const rows: Row[] = []
  for await (const batch of made) {
    stop.throwIfAborted() // nobody waits for the rest
    for (const row of batch) rows.push(row)
  }
  return rows
}

class RunContext implements EachContext {
  readonly lookup: EachContext['lookup']
  readonly outside: Outside
  readonly stop: LightStop
  readonly #warnings: string[]

  constructor({ lookup, warnings }: RowCall, outside: Outside, stop: LightStop) {
    this.lookup = lookup
    this.outside = outside
    this.stop = stop
    this.#warnings = warnings
  }

  readonly warn = (message: string): void => void this.#warnings.push(message)

  get signal(): AbortSignal {
    return this.stop.signal
  }
}

/** Does what the flags of every command ask of the rows that its runs make of their input rows. */
export function shaper({ stage: { flags } }: UnitWork): (row: Row, input: Row) => Row {
  const shape = shapeOf(flags)
  return flags['enrich'] === true ? (row, input) => shape(withCells(input, row)) : shape
}

/** Does what the flags of every command ask of any row of a stage. */
export function shapeOf({ table, guid }: Readonly<Record<string, unknown>>): (row: Row) => Row {
  const keep = Array.isArray(table) ? keepColumns(table as string[]) : (row: Row): Row => row // commonFlags reads it as names
  return guid === true ? (row) => withCells(keep(row), { _guid: newId() }) : keep
}
