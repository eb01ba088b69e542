import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Env } from '../platform/env.ts'
import { newId } from '../platform/ids.ts'
import { problemJson } from './problems.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** The HTTP server with its bounds: slow or endless clients lose their socket, and never anybody else's. */
export function openServer(listener: Listener, env: Env): Server {
  const server = createServer({ maxHeaderSize: 16_384, connectionsCheckingInterval: 1_000, requireHostHeader: true }, listener)
  server.maxConnections = env.maxConnections
  server.headersTimeout = 10_000
  server.requestTimeout = 0 // bodies are timed where they are read, because an upload may take longer than a JSON body
  server.keepAliveTimeout = 10_000
  server.maxHeadersCount = 100
  server.on('clientError', answerClientError)
  return server
}

/** Answers what never became a request: broken HTTP, headers too large or too slow. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_request'
  const details = { headers_too_large: 'The headers may have 16 KiB at most.', request_timeout: 'The headers did not arrive in time.', bad_request: 'This is not valid HTTP/1.1.' }
  const status = { headers_too_large: '431 Request Header Fields Too Large', request_timeout: '408 Request Timeout', bad_request: '400 Bad Request' }
  const body = problemJson(code, details[code], newId())
  socket.end(
    `HTTP/1.1 ${status[code]}\r\nConnection: close\r\nContent-Type: application/problem+json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Starts to listen; fails with the reason where the address cannot be had. */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Stops accepting, lets running requests end, and cuts what is left after the bound. */
export function closeServer(server: Server, boundMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), boundMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
