import { context, diag, DiagLogLevel, SpanKind, SpanStatusCode, trace, TraceFlags, type Context, type Span as ApiSpan } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, RandomIdGenerator, TracerProvider, type IdGenerator } from '@opentelemetry/sdk-trace'
import { hostname } from 'node:os'
import { pause } from './clock.ts'
import { Problem } from './errors.ts'
import type { Logger } from './logger.ts'
import type { Span, SpanPlace, SpanSink, SpanStart } from './tracing.ts'
import { version } from './version.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const

/** How long spans are gathered before they are sent, how long a collector may take, and how long the end of a process waits for it. */
const [gatherMs, sendMs, flushMs] = [1_000, 10_000, 2_000]
/** A collector that is away is told of this seldom. */
const complainEveryMs = 60_000

/** Opens the way to a collector, over OTLP as JSON. What it does not take in time is dropped: nothing ever waits for it. */
export function openSpanSink(endpoint: string, headers: readonly string[], process: string, log: Logger): Promise<SpanSink> {
  complainTo(log)
  const ids = new ChosenIds()
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers: headersOf(headers), timeoutMillis: sendMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'quern',
      'service.name': `quern-${process}`,
      'service.version': version,
      'host.name': hostname(),
      'process.pid': globalThis.process.pid,
    }),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: gatherMs, exportTimeoutMillis: sendMs })],
  })
  const tracer = provider.getTracer('quern', version)
  return Promise.resolve({
    start(name, { kind, facts = {}, parent, place }: SpanStart) {
      const options = { attributes: facts, ...(kind ? { kind: kinds[kind] } : {}) }
      return openSpan(ids.use(place, () => tracer.startSpan(name, options, below(parent ?? null))))
    },
    async close() {
      const closed = provider.forceFlush().then(() => provider.shutdown()).catch(() => undefined)
      await Promise.race([closed, pause(flushMs)])
    },
  })
}

function openSpan(span: ApiSpan): Span {
  const { traceId, spanId } = span.spanContext()
  const fail = (kind: string): void => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kind)
  return {
    place: { traceId, spanId },
    rename: (name) => void span.updateName(name),
    tell: (facts) => void span.setAttributes(facts),
    link: (place) => void span.addLink({ context: asContext(place) }),
    fail,
    end(error) {
      // Messages may hold what targets or users wrote, so only the kind of a failure is told.
      if (error !== undefined) fail(kindOf(error))
      span.end()
    },
  }
}

const kindOf = (error: unknown): string => (error instanceof Problem ? error.code : error instanceof Error ? error.name : 'unknown')

const asContext = (place: SpanPlace) => ({ ...place, traceFlags: TraceFlags.SAMPLED, isRemote: true })

const nothing = context.active()
const below = (parent: SpanPlace | null): Context => (parent ? trace.setSpanContext(nothing, asContext(parent)) : nothing)

/** Random ids, but for the one span that is being started with ids of its own. */
class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #chosen: SpanStart['place']

  use<Result>(place: SpanStart['place'], start: () => Result): Result {
    this.#chosen = place
    try {
      return start()
    } finally {
      this.#chosen = undefined
    }
  }

  generateTraceId(): string {
    return this.#chosen?.traceId ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.#chosen?.spanId ?? this.#random.generateSpanId()
  }
}

/** Headers as the setting writes them: `name=value`, with percent signs for what would end one. */
function headersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim())]))
}

function complainTo(log: Logger): void {
  let complainedAt = -Infinity
  const complain = (message: string): void => {
    if (performance.now() - complainedAt < complainEveryMs) return
    complainedAt = performance.now()
    log.warn({ detail: message.slice(0, 300) }, 'the collector of spans does not take them; look at OTEL_EXPORTER_OTLP_ENDPOINT')
  }
  const ignore = (): void => undefined
  diag.setLogger({ error: complain, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
}
