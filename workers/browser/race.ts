/** The promise, or the signal's reason as an error as soon as it is aborted; what the promise does afterwards is nobody's concern. */
export function race<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error) // every signal here is aborted with an error
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Whether the promise ended well within this time; a failure counts as not. */
export function settledWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    const end = (well: boolean): void => {
      clearTimeout(timer)
      resolve(well)
    }
    promise.then(() => end(true), () => end(false))
  })
}
