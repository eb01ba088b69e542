const repeatAfterMs = 700

/**
 * Calls back for the first signal to end, and again for a later one. A Ctrl-C arrives twice within moments, from the terminal
 * and forwarded by npm, and counts once.
 */
export function onEndSignals(first: (signal: string) => void, again: () => void): () => void {
  let firstMs: number | null = null
  const onSignal = (signal: string): void => {
    if (firstMs === null) {
      firstMs = Date.now()
      first(signal)
    } else if (Date.now() - firstMs >= repeatAfterMs) {
      again()
    }
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return () => signals.forEach((signal) => process.off(signal, onSignal))
}
