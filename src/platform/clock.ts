/** Milliseconds since the epoch. */
export type Clock = () => number

/** The machine's own time; tests put another clock in its place. */
export const systemClock: Clock = () => Date.now()

/** Waits, unless the signal says that waiting is over. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
