import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A span as a collector has got it. */
export interface CollectedSpan {
  /** The name of the process that made it. */
  readonly service: string
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  /** Empty where it is a part of nothing. */
  readonly parentSpanId: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly failed: boolean
}

/** A collector of spans on loopback that speaks OTLP/HTTP with JSON. */
export interface Collector {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The headers of every request. */
  readonly headers: readonly NodeJS.Dict<string | string[]>[]
  /** All bodies that it was sent, as text. */
  readonly text: string
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes?: readonly Attribute[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number }
}

/** What the protocol calls an ExportTraceServiceRequest. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

const errorStatus = 2

/** Starts a collector; it is gone when the test ends. */
export async function openCollector(): Promise<Collector> {
  const [spans, headers, bodies]: [CollectedSpan[], NodeJS.Dict<string | string[]>[], string[]] = [[], [], []]
  const server = createServer((request, response) => {
    headers.push(request.headers)
    if (request.method !== 'POST' || request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') return void response.writeHead(404).end()
    void json(request).then((body) => {
      bodies.push(JSON.stringify(body))
      spans.push(...read(body as Export)) // whatever else it is, the test that reads it fails
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => server.close().closeAllConnections())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server has a port
    spans,
    headers,
    get text() {
      return bodies.join('\n')
    },
  }
}

function read({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(factsOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => present(service, span)))
  })
}

function present(service: string, { name, kind, traceId, spanId, parentSpanId = '', attributes = [], links = [], status }: SentSpan): CollectedSpan {
  return { service, name, kind, traceId, spanId, parentSpanId, facts: factsOf(attributes), links, failed: status?.code === errorStatus }
}

const factsOf = (attributes: readonly Attribute[]): Record<string, unknown> => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
