import { errorCatalogue, Problem, type ErrorCode, type Fault } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secretBox.ts'

/** How a browser job ended, as its row keeps it; a failed one keeps what was asked for, so that it can be tried again. */
export type Outcome = { readonly answer: unknown } | { readonly error: KeptProblem; readonly draft?: unknown }

/** A problem as it is kept. */
export interface KeptProblem {
  readonly code: ErrorCode
  readonly detail: string
  readonly faults?: readonly Fault[]
  readonly retryAfterS?: number
  readonly extra?: Readonly<Record<string, unknown>>
}

const placeOf = (id: string) => ({ table: 'browser_jobs', id, field: 'sealed' })

/** Seals what a job asks for, or its outcome: either may hold cookies, headers and passwords. */
export const sealJob = (box: SecretBox, id: string, content: unknown): string => box.seal(placeOf(id), JSON.stringify(content))

/** What a job asks for. */
export const openDraft = (box: SecretBox, { id, sealed }: { id: string; sealed: string }): unknown => JSON.parse(box.open(placeOf(id), sealed)) as unknown

/** How a job ended. */
export const openOutcome = (box: SecretBox, { id, sealed }: { id: string; sealed: string }): Outcome => JSON.parse(box.open(placeOf(id), sealed)) as Outcome // sealJob sealed one

/** A problem as a row can keep it. */
export function keptProblem({ code, message, options: { faults, retryAfterS, extra } }: Problem): KeptProblem {
  return { code, detail: message, ...(faults && { faults }), ...(retryAfterS !== undefined && { retryAfterS }), ...(extra && { extra }) }
}

/** The problem that was kept, with further members; a code of a later version is not known here. */
export function problemOf({ code, detail, faults, retryAfterS, extra }: KeptProblem, more: Readonly<Record<string, unknown>>): Problem {
  const known = code in errorCatalogue ? code : 'internal'
  return new Problem(known, detail, { ...(faults && { faults }), ...(retryAfterS !== undefined && { retryAfterS }), extra: { ...extra, ...more } })
}
