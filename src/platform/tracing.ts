import { AsyncLocalStorage } from 'node:async_hooks'
import type { Env } from './env.ts'
import type { Logger } from './logger.ts'

/** Where a span stands: in which trace, and under which id. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

/** What is told of a span: names, numbers and hosts, and nothing that could be a secret. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** How a span begins. */
export interface SpanStart {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer'
  readonly facts?: SpanFacts
  /** What it is a part of: the span at work unless given, and nothing where it is null. */
  readonly parent?: SpanPlace | null
  /** The ids that it is to have; the trace counts only where it is a part of nothing. */
  readonly place?: { readonly traceId: string; readonly spanId?: string }
  /** Failures that are none. */
  readonly isHarmless?: (error: unknown) => boolean
}

/** A span that has not ended. */
export interface Span {
  readonly place: SpanPlace
  rename(name: string): void
  tell(facts: SpanFacts): void
  /** Points to a span of another trace. */
  link(place: SpanPlace): void
  /** Says that it went wrong, and in which way. */
  fail(kind: string): void
  end(error?: unknown): void
}

/** Where spans go. */
export interface SpanSink {
  start(name: string, start: SpanStart): Span
  /** Hands over what is left, within a bound. */
  close(): Promise<void>
}

let sink: SpanSink | undefined
const atWork = new AsyncLocalStorage<Span>()

/** Sends spans to the collector that the settings name, and answers how to end that; without one nothing is even loaded. */
export async function openTracing({ otlpEndpoint, otlpHeaders }: Pick<Env, 'otlpEndpoint' | 'otlpHeaders'>, process: string, log: Logger): Promise<() => Promise<void>> {
  if (otlpEndpoint === undefined) return () => Promise.resolve()
  const { openSpanSink } = await import('./spanSink.ts')
  const opened = await openSpanSink(otlpEndpoint, otlpHeaders, process, log)
  sink = opened
  return async () => {
    if (sink === opened) sink = undefined
    await opened.close()
  }
}

/** Whether anybody wants spans. */
export const isTracing = (): boolean => sink !== undefined

/** The span at work. */
export const currentSpan = (): Span | undefined => (sink ? atWork.getStore() : undefined)

/** A function that runs within the span that is at work now, whoever calls it and when. */
export function keepSpan<Rest extends unknown[], Result>(work: (...rest: Rest) => Result): (...rest: Rest) => Result {
  const span = currentSpan()
  return span ? (...rest) => atWork.run(span, () => work(...rest)) : work
}

/** Does something within a span; without a collector it is merely done. */
export function inSpan<Result>(name: string, begin: () => SpanStart, work: (span?: Span) => Promise<Result>): Promise<Result> {
  return sink ? record(sink, name, begin(), work) : work()
}

async function record<Result>(to: SpanSink, name: string, start: SpanStart, work: (span: Span) => Promise<Result>): Promise<Result> {
  const parent = start.parent === undefined ? atWork.getStore()?.place : start.parent
  const span = to.start(name, { ...start, parent: parent ?? null })
  try {
    const result = await atWork.run(span, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(start.isHarmless?.(error) ? undefined : error)
    throw error
  }
}

/**
 * Does something within the span under which all that becomes of a piece of work hangs: its place follows from the id of the work, so
 * that whoever does a part of it, in any process and at any time, knows it too. A request whose trace is another one is linked with it.
 */
export function inDispatch<Result>(workId: string, name: string, facts: () => SpanFacts, work: () => Promise<Result>): Promise<Result> {
  if (!sink) return work()
  const [place, asking] = [placeOf(workId), atWork.getStore()]
  const isWithin = place !== undefined && asking?.place.traceId === place.traceId
  const begin = (): SpanStart => ({ kind: 'producer', facts: facts(), ...(place ? { place } : {}), ...(isWithin ? {} : { parent: null }) })
  return inSpan(name, begin, (span) => {
    if (span && asking && !isWithin) {
      span.link(asking.place)
      asking.link(span.place)
    }
    return work()
  })
}

/** Where the dispatch of a piece of work stands: a UUID without its dashes is the id of a trace, and its second half that of a span. */
export function placeOf(workId: string): SpanPlace | undefined {
  const traceId = workId.replaceAll('-', '').toLowerCase()
  const spanId = traceId.slice(16)
  return /^(?!0{32})[0-9a-f]{16}(?!0{16})[0-9a-f]{16}$/.test(traceId) ? { traceId, spanId } : undefined
}

/** Reads the header `traceparent`; undefined where it is none. */
export function readTraceparent(text: string): SpanPlace | undefined {
  const [, traceId = '', spanId = ''] = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/.exec(text) ?? []
  return traceId === '' ? undefined : { traceId, spanId }
}

/** The header that lets another instance hang its spans below this one. */
export const traceparentOf = ({ traceId, spanId }: SpanPlace): string => `00-${traceId}-${spanId}-01`
