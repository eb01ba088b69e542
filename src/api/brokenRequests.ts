import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId } from '../platform/ids.ts'
import { problemJson } from './problems.ts'
import { securityHeaders } from './securityHeaders.ts'

/** How long a client may take to read the answer to a broken request before its socket is cut. */
const lingerMs = 1_000

const refusals = {
  headers_too_large: { line: '431 Request Header Fields Too Large', detail: 'The headers may have 16 KiB at most.' },
  request_timeout: { line: '408 Request Timeout', detail: 'The headers did not arrive in time.' },
  bad_request: { line: '400 Bad Request', detail: 'This is not valid HTTP/1.1.' },
} as const

type Code = keyof typeof refusals

/** Answers what never became a request: broken HTTP, headers too large or too slow. */
export class BrokenRequests {
  /** The last response that was begun on each socket. */
  readonly #latest = new WeakMap<Duplex, ServerResponse>()
  readonly #ended = new WeakSet<Duplex>()

  /** Remembers a response, so that no refusal is ever written into the midst of it. */
  watch(response: ServerResponse): void {
    if (response.req.socket) this.#latest.set(response.req.socket, response)
  }

  /** Answers an error of Node's parser. The parser goes on to fail with whatever else arrives, which is not worth a word. */
  answer(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (this.#ended.has(socket)) return
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const running = this.#latest.get(socket)
    if (running && !running.writableFinished && !isBroken(running)) return void running.once('close', () => this.#end(socket))
    const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request'
    this.#end(socket, refusalText(code, refusals[code].detail))
  }

  /** Refuses what is HTTP but nothing that we serve. */
  refuse(socket: Duplex, detail: string): void {
    this.#end(socket, refusalText('bad_request', detail))
  }

  #end(socket: Duplex, text = ''): void {
    this.#ended.add(socket)
    socket.on('error', () => undefined).end(text)
    const cut = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(cut))
  }
}

/** Whether the error is in the body of this very request, and its turn to be answered has come. */
function isBroken(response: ServerResponse): boolean {
  return !response.req.complete && !response.headersSent && response.socket !== null
}

function refusalText(code: Code, detail: string): string {
  const requestId = newId()
  const body = problemJson(code, detail, requestId)
  const headers = {
    ...securityHeaders,
    'Connection': 'close',
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
  }
  return `HTTP/1.1 ${refusals[code].line}\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}
