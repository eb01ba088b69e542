/** What became of one request. */
export interface Outcome {
  /** `turnedAway`: refused in order, with 429 or 503; everything else that is no success has failed. */
  readonly kind: 'accepted' | 'turnedAway' | 'failed'
  /** Status and code of the answer, or the reason why there was none. */
  readonly label: string
  /** The id of the query that was accepted. */
  readonly id: string | null
  /** What a refusal said about when to come again. */
  readonly retryAfterS: number | null
}

/** Reads an answer of the service. */
export function readAnswer(status: number, retryAfter: string | null, text: string): Outcome {
  const body = parseObject(text)
  const word = (name: string): string => (typeof body[name] === 'string' ? body[name] : '')
  const label = [String(status), word('code')].filter(Boolean).join(' ')
  if (status === 429 || status === 503) return { kind: 'turnedAway', label, id: null, retryAfterS: readSeconds(retryAfter) }
  if (status < 200 || status > 299) return { kind: 'failed', label, id: null, retryAfterS: null }
  const [id, state] = [word('id'), word('status')]
  if (id === '') return { kind: 'failed', label: `${status} without an id`, id: null, retryAfterS: null }
  // Who waits for a query gets a success also for one that failed.
  const isBad = ['failed', 'cancelled', 'expired'].includes(state)
  if (isBad) return { kind: 'failed', label: `${status} query ${state}`, id, retryAfterS: null }
  return { kind: 'accepted', label, id, retryAfterS: null }
}

/** The outcome of a request that got no answer. */
export function readFailure(error: unknown): Outcome {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: { code?: string } }
  const label = name === 'TimeoutError' ? 'no answer in time' : (code ?? cause?.code ?? name ?? 'unknown failure')
  return { kind: 'failed', label, id: null, retryAfterS: null }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function readSeconds(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null
}
