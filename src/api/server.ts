import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type Koa from 'koa'
import type { Env } from '../platform/env.ts'
import { BrokenRequests } from './brokenRequests.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** How long the rest of a body that nobody wants may take before its socket is cut. */
const lingerMs = 2_000

/** What each server is answering at the moment. */
const underWay = new WeakMap<Server, Set<ServerResponse>>()

/** The HTTP server with its bounds: slow or endless clients lose their socket, and never anybody else's. */
export function openServer(app: Koa, env: Env): Server {
  const handle = app.callback()
  // A request without Host is refused by the API itself, because Node's own refusal has no body.
  const options = { maxHeaderSize: 16_384, connectionsCheckingInterval: Math.min(1_000, env.headersTimeoutMs), requireHostHeader: false }
  const broken = new BrokenRequests()
  const responses = new Set<ServerResponse>()
  const serve: Listener = (request, response) => {
    if (!server.listening) response.shouldKeepAlive = false // it is ending, and must not be asked again
    responses.add(response)
    broken.watch(response)
    response.on('close', () => {
      responses.delete(response)
      if (!request.complete && response.writableFinished) dropUnread(request)
    })
    response.on('pipe', () => response.setTimeout(env.stallTimeoutMs, () => response.destroy())) // a streamed answer that nobody takes
    void handle(request, response)
  }
  const server = createServer(options, serve)
  underWay.set(server, responses)
  server.maxConnections = env.maxConnections
  server.headersTimeout = env.headersTimeoutMs
  server.requestTimeout = 0 // bodies are timed where they are read, because an upload may take longer than a JSON body
  server.keepAliveTimeout = env.idleTimeoutMs
  server.maxHeadersCount = 0 // their size is bounded; a bound on their number would drop some without a word
  server.on('checkExpectation', serve) // an expectation other than 100-continue is passed over
  server.on('connect', (request, socket) => broken.refuse(socket, 'CONNECT is not offered: this is no proxy.'))
  server.on('clientError', (error, socket) => broken.answer(error, socket))
  return server
}

/** Reads on for a while after an early answer, so that its client, still sending, gets to see it and can go on; then cuts the socket. */
function dropUnread(request: IncomingMessage): void {
  const cut = setTimeout(() => request.socket.destroy(), lingerMs).unref()
  request.once('close', () => clearTimeout(cut)).resume()
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

/** Stops accepting, lets running requests end and their clients know, and cuts what is left after the bound. */
export function closeServer(server: Server, boundMs: number): Promise<void> {
  for (const response of underWay.get(server) ?? []) response.shouldKeepAlive = false
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), boundMs)
    const sweep = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
  })
}
