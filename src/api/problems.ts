import type { Context, Next } from 'koa'
import { errorCatalogue, Problem, type ErrorCode } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import { databaseUnavailable, isUnavailable } from '../platform/prisma/failures.ts'

/** Answers every failure as problem+json; only a surprise is logged as an error, and its text stays inside. */
export function answerProblems(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next()
    } catch (error) {
      const problem = asProblem(error)
      if (problem.code === 'internal') log.error({ err: error, requestId: requestIdOf(ctx) }, 'request failed unexpectedly')
      answerProblem(ctx, problem)
    }
  }
}

const requestIdOf = (ctx: Context): string => String(ctx.state['requestId'] ?? '')

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error)) return databaseUnavailable(error)
  return new Problem('internal', 'The request could not be completed; the log has more under the request id.')
}

function answerProblem(ctx: Context, problem: Problem): void {
  ctx.status = problem.status
  for (const [name, value] of Object.entries(problem.options.headers ?? {})) ctx.set(name, value)
  const retryAfterS = problem.options.retryAfterS ?? (problem.status === 429 || problem.status === 503 ? 1 : undefined)
  if (retryAfterS !== undefined) ctx.set('Retry-After', String(retryAfterS))
  ctx.state['problem'] = problem
  ctx.body = problemJson(problem.code, problem.message, requestIdOf(ctx), {
    ...problem.options.extra,
    ...(problem.options.faults ? { errors: problem.options.faults } : {}),
  })
  ctx.type = 'application/problem+json'
}

/** The body of a problem, as text. */
export function problemJson(code: ErrorCode, detail: string, requestId: string, extra: Record<string, unknown> = {}): string {
  const { status, title } = errorCatalogue[code]
  return JSON.stringify({ type: `urn:quern:problem:${code}`, title, status, detail, code, requestId, ...extra })
}
