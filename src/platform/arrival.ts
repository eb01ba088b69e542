import type { IncomingMessage } from 'node:http'
import { Problem } from './errors.ts'

/** Bounds within which a request body must arrive. */
export interface ArrivalBounds {
  readonly maxBytes: number
  /** Longest silence of the client; time in which we do not read does not count. */
  readonly idleMs: number
  /** Longest time in all, where there is such a bound. */
  readonly deadlineMs?: number
}

/** Watches a body that somebody reads and calls `fail` once, when it breaks a bound or is cut off; answers how to stop watching. */
export function watchArrival(request: IncomingMessage, bounds: ArrivalBounds, fail: (problem: Problem) => void): () => void {
  const { maxBytes, idleMs, deadlineMs } = bounds
  let bytes = 0
  const late = (text: string): void => refuse(new Problem('request_timeout', text))
  const count = (part: Buffer): void => {
    bytes += part.length
    if (bytes > maxBytes) refuse(tooManyBytes(maxBytes))
    else silence.refresh()
  }
  const hush = (): void => {
    if (request.isPaused()) silence.refresh()
    else late(`Nothing of the body arrived for ${idleMs / 1000} s.`)
  }
  const cut = (): void => {
    if (!request.complete) refuse(new Problem('bad_request', 'The body was cut off.'))
  }
  const silence = setTimeout(hush, idleMs)
  const overdue = (): void => late(`The body did not arrive within ${Number(deadlineMs) / 1000} s.`)
  const deadline = deadlineMs === undefined ? undefined : setTimeout(overdue, deadlineMs)
  const stop = (): void => {
    clearTimeout(silence)
    clearTimeout(deadline)
    request.off('data', count).off('end', stop).off('error', cut).off('close', cut)
  }
  // A body that has failed is paused for good: watching its silence any longer would never end.
  const refuse = (problem: Problem): void => {
    stop()
    fail(problem)
  }
  request.on('data', count).once('end', stop).once('error', cut).once('close', cut)
  if (request.destroyed) cut()
  return stop
}

/** Reads a whole body within its bounds. */
export function readBytes(request: IncomingMessage, bounds: ArrivalBounds): Promise<Buffer> {
  // A short body is there together with its headers, and needs no watching.
  if (request.complete && request.readableFlowing === null && request.readableLength <= bounds.maxBytes) return Promise.resolve(readHeld(request))
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const take = (part: Buffer): void => void parts.push(part)
    watchArrival(request, bounds, (problem) => {
      request.off('data', take).pause()
      reject(problem)
    })
    request.on('data', take).once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)))
  })
}

function readHeld(request: IncomingMessage): Buffer {
  const bytes = request.read() as Buffer | null // no encoding is set
  return bytes ?? Buffer.alloc(0)
}

/** The problem of a body or file beyond its size. */
export function tooManyBytes(maxBytes: number, what = 'body'): Problem {
  return new Problem('body_too_large', `The ${what} may have ${maxBytes.toLocaleString('en')} bytes at most.`)
}
