import type { IncomingMessage } from 'node:http'
import { readBytes, tooManyBytes } from '../../platform/arrival.ts'
import { Problem } from '../../platform/errors.ts'
import { parseJson } from './json.ts'

/** Largest JSON body, unless an operation says otherwise. */
export const maxBodyBytes = 8 * 2 ** 20

/** Whether a request carries any body at all. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
}

/** Refuses what is not one of the content types, is compressed, or is in another character set. */
export function checkContentType(request: IncomingMessage, accepted: readonly string[]): void {
  const header = request.headers['content-type'] ?? ''
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!accepted.includes(type)) throw new Problem('unsupported_media_type', `Send the body as ${accepted.join(' or ')}; the Content-Type is ${type || 'missing'}.`)
  const charset = /;\s*charset="?([^";\s]+)/i.exec(header)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new Problem('unsupported_media_type', 'Send the body in UTF-8.')
  const encoding = request.headers['content-encoding']?.toLowerCase()
  if (encoding !== undefined && encoding !== 'identity') throw new Problem('unsupported_media_type', 'Compressed bodies are not accepted; send the body as it is.')
}

/** Reads a JSON body within its bounds of size and time. */
export async function readJson(request: IncomingMessage, maxBytes: number, timeoutMs: number): Promise<unknown> {
  checkContentType(request, ['application/json'])
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooManyBytes(maxBytes)
  return parseJson(await readBytes(request, { maxBytes, idleMs: timeoutMs, deadlineMs: timeoutMs }))
}
