import { Problem } from '../errors.ts'

/** SQLSTATE of a broken unique or exclusion constraint. */
const duplicateCodes = new Set(['23505', '23P01', 'P2002'])

/** What the server, the driver and Prisma say when the database is gone, going, or has no room for us. */
const unavailableCodes = new Set([
  'P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037',
  'DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', 'TransactionWriteConflict',
  'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN',
  '57P01', '57P02', '57P03', '57P05', '57014', '53000', '53100', '53200', '53300', '40001', '40P01', '55P03',
  '08000', '08001', '08003', '08004', '08006', '25006', '25P03',
])

const unavailableText = /Connection terminated|timeout exceeded when trying to connect|Can't reach database server|Server has closed the connection|Client has encountered a connection error|is not queryable|Query read timeout|timeout expired|the database system is/

/** Every code that an error and its causes carry, since Prisma wraps the driver's error several layers deep. */
function* codesOf(error: unknown, depth = 0): Generator<string> {
  if (typeof error !== 'object' || error === null || depth > 6) return
  for (const name of ['code', 'originalCode', 'kind']) {
    const code = (error as Record<string, unknown>)[name]
    if (typeof code === 'string') yield code
  }
  for (const name of ['cause', 'meta', 'driverAdapterError']) yield* codesOf((error as Record<string, unknown>)[name], depth + 1)
}

/** Whether a write failed because a unique value is taken. */
export function isDuplicate(error: unknown): boolean {
  return [...codesOf(error)].some((code) => duplicateCodes.has(code) || code === 'UniqueConstraintViolation')
}

/** Whether a write failed because what it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return [...codesOf(error)].some((code) => code === '23503')
}

/** Whether a transaction was given up by the server in favour of another one; it may be run again. */
export function isContended(error: unknown): boolean {
  return [...codesOf(error)].some((code) => code === 'P2034' || code === '40P01' || code === '40001')
}

/** Whether a query failed because the database cannot be reached now. */
export function isUnavailable(error: unknown): boolean {
  // A problem was judged where it arose: a target that refuses connections is not our database.
  if (error instanceof Problem && error.code !== 'unavailable' && error.code !== 'overloaded') return false
  if ([...codesOf(error)].some((code) => unavailableCodes.has(code))) return true
  return error instanceof Error && (unavailableText.test(error.message) || isUnavailable(error.cause))
}

/** The problem that a client sees while the database is away. */
export function databaseUnavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'The database cannot be reached now; try again.', { retryAfterS: 2, cause })
}
