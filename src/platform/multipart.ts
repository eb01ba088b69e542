import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { tooManyBytes, watchArrival, type ArrivalBounds } from './arrival.ts'
import { invalidField, Problem } from './errors.ts'
import { pointerTo } from './pointer.ts'

/** Bounds of a multipart body; `maxBytes` is that of its file. */
export type PartLimits = ArrivalBounds

/** The file of a multipart body, handed on while it arrives. */
export interface FilePart {
  readonly field: string
  readonly filename: string | undefined
  readonly contentType: string
  readonly stream: Readable
}

const maxFields = 20
const maxFieldBytes = 65_536
const maxHeaderBytes = 16_384
const malformedText = 'The multipart body is malformed or ends too early; its boundary must be that of the Content-Type.'

type Fail = (reason: unknown) => void
type OnFile = (file: FilePart) => Promise<void>

/**
 * Reads a multipart/form-data body: answers its fields, and hands its file to `onFile`, which reads the stream to the end or throws.
 * Whatever goes wrong, the stream fails with the reason, and `onFile` has settled before that reason is thrown here.
 */
export async function readParts(request: IncomingMessage, limits: PartLimits, onFile: OnFile): Promise<ReadonlyMap<string, string>> {
  const parser = openParser(request, limits.maxBytes)
  const fields = new Map<string, string>()
  const files: Promise<void>[] = []
  const stopped = new AbortController()
  const fail: Fail = (reason) => stopped.abort(reason)
  takeFields(parser, fields, fail)
  takeFile(parser, limits.maxBytes, stopped.signal, fail, (file) => files.push(onFile(file).then(() => finish(file.stream, fail), fail)))
  // Also what is no file must end somewhere: preamble, fields, headers and whatever follows the last boundary.
  const unwatch = watchArrival(request, { ...limits, maxBytes: limits.maxBytes + (maxFields + 1) * (maxFieldBytes + maxHeaderBytes) }, fail)
  await parse(request, parser, files, stopped.signal).catch(fail)
  unwatch()
  request.unpipe(parser).pause()
  await Promise.all(files)
  stopped.signal.throwIfAborted()
  return fields
}

function openParser(request: IncomingMessage, maxFileBytes: number): BusboyInstance {
  const limits = { fields: maxFields, fieldSize: maxFieldBytes, files: 1, fileSize: maxFileBytes, headerPairs: 20, headerSize: maxHeaderBytes }
  try {
    return new Busboy({ headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' }, limits })
  } catch {
    throw new Problem('bad_request', 'The Content-Type must be multipart/form-data with a boundary of 1 to 70 characters.')
  }
}

function takeFields(parser: BusboyInstance, fields: Map<string, string>, fail: Fail): void {
  parser.on('field', (name: string | undefined, value, _, truncated) => {
    if (name === undefined) return fail(nameless())
    if (truncated) return fail(invalidField(pointerTo('', name), `may have ${maxFieldBytes} bytes at most`))
    if (fields.has(name)) return fail(invalidField(pointerTo('', name), 'is given twice'))
    fields.set(name, value)
  })
  parser.on('fieldsLimit', () => fail(new Problem('bad_request', `The body may have ${maxFields} fields at most.`)))
}

function takeFile(parser: BusboyInstance, maxBytes: number, stopped: AbortSignal, fail: Fail, take: (file: FilePart) => void): void {
  parser.on('file', (field: string | undefined, stream, filename: string | undefined, _, contentType) => {
    stream.on('error', () => undefined) // a reader that has left already must not turn the failure into a crash
    stopped.addEventListener('abort', () => stream.destroy(stopped.reason as Error)) // `fail` is only ever given errors
    stream.once('limit', () => fail(tooManyBytes(maxBytes, 'file')))
    if (field === undefined) fail(nameless())
    else take({ field, filename, contentType, stream })
  })
  parser.on('filesLimit', () => fail(new Problem('bad_request', 'The body may have one file only.')))
}

/** Feeds the body to the parser until it has seen the last boundary. */
function parse(request: IncomingMessage, parser: BusboyInstance, files: readonly Promise<void>[], stopped: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const malformed = (): void => reject(new Problem('bad_request', malformedText))
    stopped.addEventListener('abort', () => reject(stopped.reason as Error))
    parser.once('finish', resolve).on('error', malformed)
    // A part without complete headers leaves the parser waiting for ever, so the end of the body is the end, once the file is read.
    request.once('end', () => void settle(files).then(malformed))
    if (!stopped.aborted) request.pipe(parser)
    else reject(stopped.reason as Error)
  })
}

async function settle(files: readonly Promise<void>[]): Promise<void> {
  for (let seen = -1; seen < files.length; ) {
    seen = files.length
    await Promise.all(files)
    await nextTurn()
  }
}

/** What the reader left over is passed over, so that the parts behind it are reached. */
function finish(stream: Readable, fail: Fail): void {
  if (stream.readableEnded) return
  if (stream.destroyed) fail(new Error('a file of a multipart body was given up without an error'))
  else stream.resume()
}

const nameless = (): Problem => new Problem('bad_request', 'Every part of the body needs a name in its Content-Disposition.')
