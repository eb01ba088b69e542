import type { DispatchDraft } from '../../contract/sirp/queryDraft.ts'
import { Problem } from '../../platform/errors.ts'
import type { ParsedQuery } from '../../query/plan.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { backlogOf } from './engine/backlog.ts'
import { keepQuery, storeQuery, type NewQuery } from './engine/dispatch.ts'
import { findQuery } from './queryRecords.ts'

/** What a start gives beside the query itself. */
export interface StartOptions {
  readonly id?: string
  readonly known?: Readonly<Record<string, unknown>>
  readonly inputId?: string
  readonly templateId?: string
  readonly scheduleId?: string
  /** Whether the client hears of it only when it has ended, or when it is tired of waiting. */
  readonly isWaitedFor?: boolean
}

/** On whose behalf a query is stored, and what the audit log names as done. */
export interface Behalf {
  readonly apiKeyId: string | null
  readonly requestId: string
  readonly operation: string
}

/** A query that was just stored. */
export interface Started {
  readonly id: string
  readonly status: string
  readonly createdAt: Date
  /** Whether this very request stored it; a repeat finds what the first one did. */
  readonly isNew: boolean
  /** Whether it is on the disk already; else it is when it has ended. */
  readonly isKept: boolean
}

/** Stores a query that was understood, and has it run. A repeat of the same idempotent request finds the first one. */
export async function startQuery(house: House, request: RequestFacts, draft: Omit<DispatchDraft, 'query'>, parsed: ParsedQuery, options: StartOptions = {}): Promise<Started> {
  await backlogOf(house).admit(request.caller.keyId)
  const { id = request.newId, isWaitedFor = false } = options
  const stored = await storeQuery(house, newQuery(behalfOf(request), draft, parsed, { ...options, id }), isWaitedFor)
  if (stored) return { id, status: 'queued', createdAt: stored.createdAt, isNew: true, isKept: !isWaitedFor }
  // An id that the client chose may be taken by another query than the one of the first request.
  if (request.repeatable && options.id === undefined) return { ...(await findQuery(house, id)), isNew: false, isKept: await keepQuery(house, id) }
  throw new Problem('conflict', `There is a query ${id} already; choose another id.`)
}

/** Whoever sent the request. */
export function behalfOf({ caller, requestId, operation }: RequestFacts): Behalf {
  return { apiKeyId: caller.keyId, requestId, operation }
}

/** A query that was understood, as it is stored. */
export function newQuery(behalf: Behalf, draft: Omit<DispatchDraft, 'query'>, { text, stages }: ParsedQuery, options: StartOptions & { id: string }): NewQuery {
  return {
    apiKeyId: behalf.apiKeyId,
    requestId: behalf.requestId,
    operation: behalf.operation,
    id: options.id,
    query: text,
    stages: stages.length,
    known: options.known,
    inputId: options.inputId,
    templateId: options.templateId,
    scheduleId: options.scheduleId,
    mode: draft.mode,
    cleanup: draft.cleanup,
    summary: draft.summary,
    minutes: draft.minutes,
    ttl: draft.ttl,
    metadata: draft.metadata,
  }
}
