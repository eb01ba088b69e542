import { Problem } from '../../platform/errors.ts'

/** Said where nothing is let go because nobody can tell whether it may. */
export function notAnswering(cause?: unknown): Problem {
  const detail = 'Redis or the database does not answer, so no dispatch is allowed; try again shortly.'
  return new Problem('unavailable', detail, { retryAfterS: 1, cause })
}
