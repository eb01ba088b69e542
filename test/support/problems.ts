import { expect } from 'vitest'
import { errorCatalogue, type ErrorCode } from '../../src/platform/errors.ts'
import type { WireAnswer } from './wire.ts'

/** The members that every problem has, and those that some have. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly requestId: string
  readonly errors?: readonly { path: string; message: string; in?: string }[]
  readonly [member: string]: unknown
}

/** Checks that an answer is a problem of this code with all its members and headers, and answers it. */
export async function expectProblem(answer: Response | WireAnswer, code: ErrorCode): Promise<ProblemBody> {
  const text = answer instanceof Response ? await answer.text() : answer.body
  const header = (name: string): string => (answer instanceof Response ? answer.headers.get(name) : answer.headers[name]) ?? ''
  expect({ status: answer.status, text }).toMatchObject({ status: errorCatalogue[code].status })
  expect(header('content-type')).toMatch(/^application\/problem\+json/)
  const problem = JSON.parse(text) as ProblemBody
  expect(problem).toMatchObject({ type: `urn:quern:problem:${code}`, title: errorCatalogue[code].title, status: answer.status, code })
  expect(problem.detail).toMatch(/\S/)
  expect(problem.requestId).toBe(header('x-request-id'))
  expectSecurityHeaders(header)
  if (problem.status === 429 || problem.status === 503) expect(header('retry-after')).toMatch(/^[1-9]\d*$/)
  return problem
}

/** Checks the headers that keep an answer from being sniffed, framed, run or shared. */
export function expectSecurityHeaders(header: (name: string) => string | null | undefined): void {
  expect(header('x-content-type-options')).toBe('nosniff')
  expect(header('x-frame-options')).toBe('DENY')
  expect(header('referrer-policy')).toBe('no-referrer')
  expect(header('cross-origin-resource-policy')).toBe('same-origin')
  expect(header('content-security-policy')).toContain("default-src 'none'")
  expect(header('content-security-policy')).toContain("frame-ancestors 'none'")
}
