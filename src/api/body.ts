import type { IncomingMessage } from 'node:http'
import { Problem } from '../platform/errors.ts'
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
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return parseJson(await collect(request, maxBytes, timeoutMs))
}

function collect(request: IncomingMessage, maxBytes: number, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => stop(new Problem('request_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`)), timeoutMs)
    const stop = (problem: Problem): void => {
      clearTimeout(timer)
      request.off('data', take).off('end', end).pause()
      reject(problem)
    }
    const take = (part: Buffer): void => {
      size += part.length
      if (size > maxBytes) stop(tooLarge(maxBytes))
      else parts.push(part)
    }
    const end = (): void => {
      clearTimeout(timer)
      resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    }
    request.on('data', take).once('end', end)
    request.once('error', () => stop(new Problem('bad_request', 'The body was cut off.')))
    request.once('aborted', () => stop(new Problem('bad_request', 'The body was cut off.')))
  })
}

export function tooLarge(maxBytes: number): Problem {
  return new Problem('body_too_large', `The body may have ${maxBytes.toLocaleString('en')} bytes at most.`)
}
