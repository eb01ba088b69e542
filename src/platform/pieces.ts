import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { watchArrival, type ArrivalBounds } from './arrival.ts'

/** Hands a body on piece by piece as it arrives; `take` sets the pace, and has settled before a failure is thrown here. */
export function readPieces(request: IncomingMessage, bounds: ArrivalBounds, take: (piece: Buffer) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let taking = Promise.resolve()
    const sink = new Writable({
      write(piece: Buffer, _, done) {
        taking = take(piece)
        taking.then(() => done(), done)
      },
    })
    const settled = (then: () => void): void => void taking.catch(() => undefined).then(then)
    const fail = (error: Error): void => {
      unwatch()
      request.unpipe(sink).pause()
      settled(() => reject(error))
    }
    const unwatch = watchArrival(request, bounds, fail)
    sink.once('finish', () => settled(resolve)).once('error', fail)
    request.pipe(sink)
  })
}
