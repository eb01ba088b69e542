import { request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { Problem } from '../../src/platform/errors.ts'
import { bareHost, type Passage } from './passage.ts'

/** Headers that are meant for the next machine only. */
const hopHeaders = new Set([
  'connection', 'proxy-connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'upgrade',
])

/** The largest head of a request or answer, as in Chromium. */
export const headBytes = 256 * 1024

/** Sends a plain HTTP request on to its host and its answer back. */
export function forward(passage: Passage, request: IncomingMessage, response: ServerResponse): void {
  passage.counts.requests += 1
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null
  if (url?.protocol !== 'http:') return refuse(response, new Problem('target_forbidden', 'Only http and https addresses can be reached.'))
  const outgoing = send({
    agent: passage.agent,
    host: bareHost(url.hostname),
    port: Number(url.port) || 80,
    method: request.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: ['Host', url.host, ...keptHeaders(request.rawHeaders, 'host')],
    maxHeaderSize: headBytes,
    // Chromium reads answers that Node's strict parser does not.
    insecureHTTPParser: true,
  })
  // A connection through a user's proxy comes paused.
  outgoing.once('socket', (socket) => socket.resume())
  outgoing.once('response', (answer) => giveBack(answer, response))
  outgoing.once('error', (error) => refuse(response, error))
  response.once('close', () => outgoing.destroy())
  pipeline(request, outgoing, () => undefined)
}

function giveBack(answer: IncomingMessage, response: ServerResponse): void {
  try {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', keptHeaders(answer.rawHeaders, 'transfer-encoding'))
    response.flushHeaders()
  } catch (error) {
    answer.destroy()
    return refuse(response, error)
  }
  pipeline(answer, response, (error) => {
    if (error) response.destroy()
  })
}

/** Answers in the place of a host that is not reached. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { status, detail } = describeRefusal(error)
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' })
  response.end(detail)
}

/** The status and the text with which the proxy itself answers. */
export function describeRefusal(error: unknown): { readonly status: number; readonly detail: string } {
  if (!(error instanceof Problem)) return { status: 502, detail: 'The host broke off the connection.' }
  return { status: error.code === 'target_forbidden' ? 403 : 502, detail: error.message }
}

function keptHeaders(raw: readonly string[], ...without: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2)
    const lower = name.toLowerCase()
    if (!hopHeaders.has(lower) && !without.includes(lower)) kept.push(name, value)
  }
  return kept
}
