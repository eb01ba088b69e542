import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** Fields that may appear on a log line; anything else is dropped, so that no secret gets there by accident. */
const allowed = new Set([
  'operation', 'method', 'path', 'status', 'ms', 'code', 'detail', 'keyId', 'requestId', 'queryId', 'jobId', 'queue', 'job', 'attempt',
  'service', 'process', 'step', 'port', 'host', 'pid', 'count', 'reason', 'err', 'version', 'signal', 'url', 'domain', 'bytes',
  'migration', 'table', 'traceId',
])

const keepAllowed = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)))

/** Addresses carry passwords, and keys may be pasted anywhere: neither reaches a log or a message. */
export function redact(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/"]*@/gi, '$1***@').replace(/\bsvc_[0-9a-f]{32}_[A-Za-z0-9_-]+/g, 'svc_***')
}

const deepestCause = 5

function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as { code?: unknown }).code
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack ? { stack: error.stack } : {}),
    ...(error.cause === undefined || depth === deepestCause ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

/** Pino filters the fields of a line but not those that a child logger carries, so these are filtered where they come in. */
function filterChildren(log: Logger): Logger {
  const child = log.child as unknown as (bindings: object) => Logger // the part of its overloaded type that is used here
  const filtered = function (this: Logger, bindings: Record<string, unknown>): Logger {
    return child.call(this, keepAllowed(bindings))
  }
  log.child = filtered as unknown as Logger['child']
  return log
}

/** One JSON line an event, with allow-listed fields only, and with addresses and keys masked wherever they stand in it. */
export function openLogger(level: string, process: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: keepAllowed },
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: { streamWrite: redact },
  }
  return filterChildren(destination ? pino(options, destination) : pino(options))
}
