import { pause } from '../../src/platform/clock.ts'
import { Backoff } from './backoff.ts'
import { reasonOf } from './startError.ts'

/** A process under way, whatever it is. */
export interface Running {
  readonly pid: number
  /** Settles when it has ended, with words that say how. */
  readonly exited: Promise<Ending>
  /** Ends it in order, or after a bound without asking. */
  stop(): Promise<void>
  /** Ends it at once. */
  kill(): Promise<void>
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null
  readonly words: string
}

/** A process that is started again whenever it ends, until it is stopped. */
export interface Supervised {
  readonly name: string
  stop(): Promise<void>
  kill(): Promise<void>
}

/** What the one who supervises wants to hear. */
export interface Listener {
  /** It ended by itself and will start again after the wait. */
  onEnd(name: string, ending: Ending, waitMs: number): void
  /** It is under way again. */
  onRestart(name: string, pid: number): void
}

/** Starts a process; the signal says that it is not wanted any more. */
export type Launch = (signal: AbortSignal) => Promise<Running>

/** Keeps a process running: `launch` is called again, after a back-off, each time the process ends or cannot start. */
export function supervise(name: string, first: Running, launch: Launch, listener: Listener): Supervised {
  const stopping = new AbortController()
  const backoff = new Backoff()
  let current: Running | null = first

  const restart = async (): Promise<Running | null> => {
    try {
      const running = await launch(stopping.signal)
      if (stopping.signal.aborted) await running.stop()
      else listener.onRestart(name, running.pid)
      return running
    } catch (error) {
      if (!stopping.signal.aborted) await wait({ code: null, words: `could not start: ${reasonOf(error)}` }, 0)
      return null
    }
  }
  const wait = async (ending: Ending, livedMs: number): Promise<void> => {
    const waitMs = backoff.next(livedMs)
    listener.onEnd(name, ending, waitMs)
    await pause(waitMs, stopping.signal)
  }
  const keepRunning = async (): Promise<void> => {
    let beganMs = Date.now()
    while (!stopping.signal.aborted) {
      if (current) {
        const ending = await current.exited
        current = null
        if (stopping.signal.aborted) return
        await wait(ending, Date.now() - beganMs)
      }
      if (stopping.signal.aborted) return
      beganMs = Date.now()
      current = await restart()
    }
  }
  const ended = keepRunning()
  const end = async (how: 'stop' | 'kill'): Promise<void> => {
    stopping.abort()
    await current?.[how]()
    await ended
  }
  return { name, stop: () => end('stop'), kill: () => end('kill') }
}
