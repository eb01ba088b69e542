import { planArrivals } from './arrivals.ts'
import type { LoadOptions } from './options.ts'
import { checkTarget } from './preflight.ts'
import { showProgress, type Screen } from './progress.ts'
import { countArrivals, makeReport, type Report } from './report.ts'
import { sendAll } from './sendAll.ts'
import { Tally } from './tally.ts'
import { openTarget } from './target.ts'
import { verifyAll } from './verify.ts'

/** Runs a load test and gives what it found; the signal ends it early, with a report of what was done. */
export async function runLoad(options: LoadOptions, screen: Screen, stop: AbortSignal): Promise<Report> {
  const { seconds, concurrency } = options
  const target = openTarget(options)
  try {
    await checkTarget(target, options)
    const tally = new Tally()
    const arrivals = planArrivals(options)
    const hide = showProgress(screen, tally, seconds)
    const tookMs = await sendAll({ arrivals, seconds, concurrency, send: (number) => target.send(number), tally, stop }).finally(hide)
    const endedEarly = stop.aborted
    countArrivals(tally, arrivals, endedEarly ? 0 : seconds * 1_000)
    // Whoever ends it early does not want to wait for all that it has started.
    const verifying = options.verify && !endedEarly
    if (verifying) screen.write(`Reading the state of ${tally.ids.length} queries\n`)
    const verified = verifying ? await verifyAll(target, tally.ids, stop) : null
    return makeReport(options, tally, { operation: target.operation, tookMs, endedEarly, verified })
  } finally {
    await target.close()
  }
}
