import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** Fields that may appear on a log line; anything else is dropped, so that no secret gets there by accident. */
const allowed = new Set([
  'operation', 'method', 'path', 'status', 'ms', 'code', 'detail', 'keyId', 'requestId', 'queryId', 'jobId', 'queue', 'job', 'attempt',
  'service', 'process', 'step', 'port', 'host', 'pid', 'count', 'reason', 'err', 'version', 'signal', 'url', 'domain', 'bytes', 'migration',
])

const keepAllowed = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)))

/** Addresses carry passwords, and keys may be pasted anywhere: neither reaches a log through an error's text. */
export function redact(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1***@').replace(/\bsvc_[0-9a-f]{32}_[A-Za-z0-9_-]+/g, 'svc_***')
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: redact(String(error)) }
  const code = (error as { code?: unknown }).code
  return {
    type: error.name,
    message: redact(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack ? { stack: redact(error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/** One JSON line an event, with allow-listed fields only. */
export function openLogger(level: string, process: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: keepAllowed },
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}
