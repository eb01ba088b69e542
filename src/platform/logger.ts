import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** Fields that may appear on a log line; anything else is dropped, so that no secret gets there by accident. */
const allowed = new Set([
  'operation', 'method', 'path', 'status', 'ms', 'code', 'detail', 'keyId', 'requestId', 'queryId', 'jobId', 'queue', 'job', 'attempt',
  'service', 'process', 'step', 'port', 'host', 'pid', 'count', 'reason', 'err', 'version', 'signal', 'url', 'domain', 'bytes',
  'migration', 'table', 'traceId',
])

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) if (allowed.has(name)) kept[name] = fields[name]
  return kept
}

/** Addresses carry passwords, and keys may be pasted anywhere: neither reaches a log or a message. */
export function redact(text: string): string {
  if (!text.includes('://') && !text.includes('svc_')) return text // as nearly all lines are
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

/** Lines are held no longer than the turn of the event loop in which they were written: together they cost one write. */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, minLength: 8_192 })
  let isDue = false
  const flush = (): void => {
    isDue = false
    output.flush()
  }
  process.on('exit', () => output.flushSync())
  return {
    write(line) {
      output.write(line)
      if (isDue) return
      isDue = true
      setImmediate(flush)
    },
  }
}

/** One JSON line an event, with allow-listed fields only, and with addresses and keys masked wherever they stand in it. */
export function openLogger(level: string, name: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: keepAllowed },
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: { streamWrite: redact },
  }
  return filterChildren(pino(options, destination ?? openStandardOutput()))
}
