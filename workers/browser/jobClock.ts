import { Problem } from '../../src/platform/errors.ts'

/** Why a job must end: its deadline, its caller, or a room that broke; whichever comes first. */
export class JobClock {
  readonly #ending = new AbortController()
  readonly #watched: Array<readonly [AbortSignal, () => void]> = []
  readonly #timer: NodeJS.Timeout

  constructor(deadlineMs: number, caller: AbortSignal) {
    this.#timer = setTimeout(() => this.#ending.abort(late(deadlineMs)), deadlineMs)
    this.watch(caller, () => asError(caller.reason, deadlineMs))
  }

  /** Aborted with an error when the job must end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Ends the job when this signal is aborted, for this reason. */
  watch(signal: AbortSignal, reason: () => Error): void {
    const onAbort = (): void => this.#ending.abort(reason())
    this.#watched.push([signal, onAbort])
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  }

  /** Stops watching; a job that is over ends for no more reasons. */
  stop(): void {
    clearTimeout(this.#timer)
    for (const [signal, onAbort] of this.#watched) signal.removeEventListener('abort', onAbort)
  }
}

const late = (deadlineMs: number): Problem =>
  new Problem('job_timeout', `The job did not end within ${Math.round(deadlineMs)} ms. Give it more time, or ask for less.`)

/** The caller's own reason, as an error; a time-out of the caller is a deadline too. */
function asError(reason: unknown, deadlineMs: number): Error {
  if (!(reason instanceof Error)) return new DOMException(`The job was ended: ${String(reason)}.`, 'AbortError')
  return reason.name === 'TimeoutError' ? late(deadlineMs) : reason
}
