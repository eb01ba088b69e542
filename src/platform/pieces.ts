import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { watchArrival, type ArrivalBounds } from './arrival.ts'

/** Hands a body on piece by piece as it arrives; `take` sets the pace, and has settled before a failure is thrown here. */
export async function readPieces(request: IncomingMessage, bounds: ArrivalBounds, take: (piece: Buffer) => Promise<void>): Promise<void> {
  let taking = Promise.resolve()
  const sink = new Writable({
    write(piece: Buffer, _, done) {
      taking = take(piece)
      taking.then(() => done(), done)
    },
  })
  const stopped = new AbortController()
  const unwatch = watchArrival(request, bounds, (problem) => stopped.abort(problem))
  try {
    await pipe(request, sink, stopped.signal)
  } finally {
    unwatch()
    request.unpipe(sink).pause()
    await taking.catch(() => undefined)
  }
}

function pipe(request: IncomingMessage, sink: Writable, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    stopped.addEventListener('abort', () => reject(stopped.reason as Error)) // it is only ever aborted with a problem
    sink.once('finish', resolve).once('error', reject)
    if (stopped.aborted) reject(stopped.reason as Error)
    else request.pipe(sink)
  })
}
