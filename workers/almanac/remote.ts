import { pause } from '../../src/platform/clock.ts'
import { errorCatalogue, Problem } from '../../src/platform/errors.ts'
import type { Transport } from '../../src/platform/egress/transport.ts'
import type { Processor } from '../../src/queues/processor.ts'
import { findRemoteRun, noteDispatched, noteRefused, type RemoteRun } from '../../src/services/almanac/remoteRuns.ts'
import type { House } from '../../src/services/house.ts'
import { askInstance } from './askInstance.ts'

/** How long to wait before each further try. */
const usualPausesMs = [1_000, 5_000, 15_000] as const

/** Dispatches the query of a scheduled run to another instance, and notes what that one answered. */
export function remoteProcessor(house: House, transport: Transport, pausesMs: readonly number[] = usualPausesMs): Processor<'almanac.remote'> {
  return async ({ runId }, { signal }) => {
    const run = await findRemoteRun(house, runId)
    if (!run) return
    try {
      await noteDispatched(house, run, await askPatiently(house, transport, run, pausesMs, signal))
    } catch (error) {
      // A run that our own end interrupts is given back, not given up.
      if (!(error instanceof Problem) || signal.aborted) throw error
      await noteRefused(house, runId, `${error.code}: ${error.message}`)
    }
  }
}

/** Asks again after a failure that may pass; the other instance takes the run only once, however often it is asked. */
async function askPatiently(house: House, transport: Transport, run: RemoteRun, pausesMs: readonly number[], signal: AbortSignal): Promise<string> {
  const [pauseMs, ...rest] = pausesMs
  try {
    return await askInstance(house, transport, run, signal)
  } catch (error) {
    if (pauseMs === undefined || signal.aborted || !(error instanceof Problem) || !errorCatalogue[error.code].retryable) throw error
    await pause(pauseMs, signal)
    signal.throwIfAborted()
    return askPatiently(house, transport, run, rest, signal)
  }
}
