import { Problem, type ErrorCode } from '../errors.ts'

/** An address as messages show it: without its query string, which may hold secrets. */
export const shown = (url: URL): string => `${url.origin}${url.pathname}`

const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate has been revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate ends in a self-signed one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT: 'the issuer of its certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is not known',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

const noDescriptors = ['unavailable', 'could not be asked, because this process may open no more files; raise its limit (ulimit -n) or lower FETCH_CONCURRENCY'] as const

const reasons: Readonly<Record<string, readonly [code: ErrorCode, reason: string]>> = {
  UND_ERR_CONNECT_TIMEOUT: ['target_timeout', 'took too long to accept the connection'],
  ETIMEDOUT: ['target_timeout', 'took too long to accept the connection'],
  UND_ERR_HEADERS_TIMEOUT: ['target_timeout', 'did not begin to answer in time'],
  UND_ERR_BODY_TIMEOUT: ['target_timeout', 'fell silent in the middle of its answer'],
  ECONNREFUSED: ['target_failed', 'refused the connection'],
  ECONNRESET: ['target_failed', 'reset the connection'],
  EPIPE: ['target_failed', 'closed the connection'],
  EHOSTUNREACH: ['target_failed', 'cannot be reached from here'],
  ENETUNREACH: ['target_failed', 'cannot be reached from here'],
  EADDRNOTAVAIL: ['target_failed', 'cannot be reached from here'],
  EMFILE: noDescriptors,
  ENFILE: noDescriptors,
  UND_ERR_SOCKET: ['target_failed', 'closed the connection before its answer was complete'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['target_failed', 'closed the connection before its answer was complete'],
  HTTPParserError: ['target_unreadable', 'answered with something that is not HTTP'],
  UND_ERR_HEADERS_OVERFLOW: ['target_unreadable', 'sent headers that are too large'],
}

/** What a failed connection or exchange means, with `who` for the other side; a Problem stays what it is. */
export function toProblem(error: unknown, who: string): Problem {
  if (error instanceof Problem) return error
  const code = codeOf(error)
  const [problem, reason] = reasons[code] ?? tlsReason(code) ?? ['target_failed', 'could not be asked']
  return new Problem(problem, `${who} ${reason}.`, { cause: error })
}

const endings = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** Whether it was the other side that ended a connection. */
export const endedConnection = (error: Error): boolean => endings.has(codeOf(error))

function tlsReason(code: string): readonly [ErrorCode, string] | undefined {
  const reason = certificateReasons[code]
  if (reason !== undefined) return ['target_failed', `cannot be trusted: ${reason}`]
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return ['target_failed', 'does not speak TLS as it should']
  return undefined
}

/** Undici wraps what the socket said. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'HTTPParserError') return error.name
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const inner = code === '' || code === 'UND_ERR_SOCKET' ? error.cause : undefined
  return (inner instanceof Error ? codeOf(inner) : '') || code
}
