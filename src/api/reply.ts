import type { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Operation } from '../contract/define.ts'
import { Problem } from '../platform/errors.ts'
import { Accepted, Download, WithStatus } from '../services/handler.ts'

/** Writes an answer: status, Location, ETag and body, as the operation's row says. */
export async function answer(ctx: Context, { reply }: Operation, given: unknown): Promise<void> {
  if (given instanceof Download) return answerDownload(ctx, given)
  if (given instanceof Accepted) return answerAccepted(ctx, reply, given.body)
  const result = given instanceof WithStatus ? (given.body as unknown) : given
  ctx.status = given instanceof WithStatus ? given.status : reply.status
  if (reply.location !== undefined) ctx.set('Location', fillPath(reply.location, result as Record<string, unknown>))
  const version = (result as { version?: unknown } | undefined)?.version
  if (typeof version === 'number') ctx.set('ETag', `"${version}"`)
  if (reply.status === 204) return
  answerJson(ctx, result)
}

/** The type is set before the body, for which Koa would look for one. */
function answerJson(ctx: Context, body: unknown): void {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = jsonOf(body)
}

/** The JSON of an answer; items of a list may be so large that no text can hold all of them. */
function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('unprocessable', 'The answer is too large to be sent at once; ask for fewer items, with a smaller limit.', { cause: error })
  }
}

function answerAccepted(ctx: Context, { accepted }: Operation['reply'], body: unknown): void {
  ctx.status = 202
  if (accepted) ctx.set('Location', fillPath(accepted.location, body as Record<string, unknown>))
  answerJson(ctx, body)
}

function fillPath(path: string, record: Record<string, unknown>): string {
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(record[name])))
}

/** Files are never rendered in place: a browser downloads them, and what it might render anyway is sandboxed. */
async function answerDownload(ctx: Context, download: Download): Promise<void> {
  const isEvents = download.contentType.startsWith('text/event-stream')
  if (!isEvents) await firstByte(download.stream)
  ctx.status = 200
  ctx.body = download.stream
  ctx.type = download.contentType
  if (download.bytes !== undefined) ctx.length = download.bytes
  const disposition = download.inline ? 'inline' : 'attachment'
  if (download.filename !== undefined) ctx.set('Content-Disposition', contentDisposition(disposition, download.filename))
  if (download.immutable !== undefined) answerImmutable(ctx, download.immutable)
  // Events may be long in coming, and whoever waits for them must know that the waiting has begun.
  if (isEvents) ctx.flushHeaders()
}

/** Waits until a stream has something to say: one that fails before can still be answered as a problem. */
function firstByte(stream: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      stream.off('readable', ready).off('close', ready).off('error', settle)
      if (error ?? stream.errored) reject(error ?? stream.errored)
      else resolve()
    }
    const ready = (): void => settle()
    stream.on('readable', ready).on('close', ready).on('error', settle)
    if (stream.destroyed || stream.readableEnded) settle()
  })
}

/** What never changes may be kept for ever by the one who asked; one who has it already gets no body. */
function answerImmutable(ctx: Context, tag: string): void {
  ctx.set('ETag', `"${tag}"`)
  ctx.set('Cache-Control', 'private, max-age=31536000, immutable')
  const known = ctx.get('If-None-Match').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (!known.includes(`"${tag}"`) && !known.includes('*')) return
  ctx.body = null
  ctx.status = 304
}

/** `inline` or `attachment` with a plain name and, where the name has other characters, its RFC 8187 form beside it. */
function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, '_')
  const extended = plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`
  return `${kind}; filename="${plain}"${extended}`
}
