/** What can go wrong on purpose. Clients match on the code, so a code is never renamed. */
export const errorCatalogue = {
  bad_request: { status: 400, title: 'The request cannot be read', retryable: false },
  malformed_json: { status: 400, title: 'The body is not valid JSON', retryable: false },
  validation_failed: { status: 400, title: 'The request does not match its schema', retryable: false },
  unauthorized: { status: 401, title: 'A valid API key is needed', retryable: false },
  forbidden: { status: 403, title: 'The key does not allow this', retryable: false },
  wrong_password: { status: 403, title: 'The password is not right', retryable: false },
  target_forbidden: { status: 403, title: 'The target may not be reached', retryable: false },
  not_found: { status: 404, title: 'No such resource', retryable: false },
  method_not_allowed: { status: 405, title: 'The route does not know this method', retryable: false },
  request_timeout: { status: 408, title: 'The body did not arrive in time', retryable: true },
  conflict: { status: 409, title: 'The request does not fit the present state', retryable: false },
  idempotency_running: { status: 409, title: 'The first request with this Idempotency-Key has not ended', retryable: true },
  precondition_failed: { status: 412, title: 'The record has changed meanwhile', retryable: false },
  body_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'The content type is not supported here', retryable: false },
  unprocessable: { status: 422, title: 'The request is well formed but impossible', retryable: false },
  idempotency_mismatch: { status: 422, title: 'The Idempotency-Key was used with another request', retryable: false },
  query_syntax: { status: 422, title: 'The query cannot be understood', retryable: false },
  command_failed: { status: 422, title: 'The command cannot do what it was asked for', retryable: false },
  poison: { status: 500, title: 'The work ended its process again and again', retryable: false },
  deadline_exceeded: { status: 504, title: 'The query took longer than its minutes', retryable: false },
  policy_blocked: { status: 422, title: 'The policy of the domain allows no dispatch', retryable: false },
  expression_failed: { status: 422, title: 'The expression failed', retryable: false },
  selector_not_found: { status: 422, title: 'Nothing matches the selector', retryable: false },
  license_invalid: { status: 422, title: 'The license is not valid', retryable: false },
  unreadable_file: { status: 422, title: 'The file cannot be read as rows', retryable: false },
  too_many_attempts: { status: 429, title: 'Too many failed attempts', retryable: true },
  too_many_requests: { status: 429, title: 'Too many requests of this key at once', retryable: true },
  headers_too_large: { status: 431, title: 'The headers are too large', retryable: false },
  internal: { status: 500, title: 'Something went wrong on our side', retryable: true },
  not_built: { status: 501, title: 'This operation is not built yet', retryable: false },
  target_unreadable: { status: 502, title: 'The answer of the target cannot be read', retryable: false },
  target_status: { status: 502, title: 'The target answered with an error', retryable: true },
  target_too_large: { status: 502, title: 'The answer of the target is too large', retryable: false },
  target_failed: { status: 502, title: 'The target cannot be reached', retryable: true },
  overloaded: { status: 503, title: 'The service is at its limit', retryable: true },
  unavailable: { status: 503, title: 'A part that this needs is not available', retryable: true },
  wait_timeout: { status: 504, title: 'The wait ended before the work did', retryable: true },
  job_timeout: { status: 504, title: 'The job did not end in time', retryable: true },
  target_timeout: { status: 504, title: 'The target did not answer in time', retryable: true },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>

export type ErrorCode = keyof typeof errorCatalogue

/** One fault of a request: where it is and what is expected there. */
export interface Fault {
  /** JSON pointer into the body, or `/name` of a parameter. */
  readonly path: string
  readonly message: string
  /** The part of the request, where it is not the body. */
  readonly in?: 'path' | 'query' | 'header'
}

export interface ProblemOptions {
  readonly faults?: readonly Fault[]
  readonly retryAfterS?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the answer. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** An expected failure: its code says what happened, its detail how to mend it. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly status: number
  readonly options: ProblemOptions

  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = errorCatalogue[code].status
    this.options = options
  }
}

/** The problem of a request whose fields are not right; `detail` names the first fault. */
export function invalid(faults: readonly Fault[]): Problem {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const where = first ? `${first.path || 'The body'} ${first.message}` : 'The request does not match its schema'
  return new Problem('validation_failed', `${where}${more}.`, { faults })
}

/** The problem of a single wrong field. */
export function invalidField(path: string, message: string): Problem {
  return invalid([{ path, message }])
}
