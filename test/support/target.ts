import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as the target saw it. */
export interface Hit {
  readonly method: string
  /** Path and query, as they were written. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What the target answers; JSON where the body is neither text nor bytes. */
export interface Answering {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A site on loopback that remembers what it was asked. */
export interface Target extends AsyncDisposable {
  readonly url: string
  readonly hits: Hit[]
}

/** Starts a site; an answer without a type says none. */
export async function openTarget(answer: (hit: Hit, count: number) => Answering = () => ({})): Promise<Target> {
  const hits: Hit[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const hit = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      hits.push(hit)
      const { status = 200, type, headers = {}, body: content = '' } = answer(hit, hits.length)
      const isPlain = typeof content === 'string' || content instanceof Uint8Array
      const contentType = type ?? (isPlain ? undefined : 'application/json')
      response.writeHead(status, { ...headers, ...(contentType === undefined ? {} : { 'content-type': contentType }) })
      response.end(isPlain ? content : JSON.stringify(content))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server has a port
    hits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
