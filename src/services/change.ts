import { Problem } from '../platform/errors.ts'
import type { Connection } from '../platform/prisma/database.ts'
import { isContended, isDuplicate } from '../platform/prisma/failures.ts'
import type { RequestFacts } from './handler.ts'
import type { House } from './house.ts'

interface Change<Result> {
  /** Does the writes, and may be run again from the start; whatever it answers is what the operation answers. */
  readonly write: (tx: Connection) => Promise<Result>
  /** What the audit log names as changed. */
  readonly target: string
  /** Said when a unique value is taken. */
  readonly taken?: string
  /** Finds what an earlier try of the same idempotent request created. */
  readonly found?: () => Promise<Result | null>
}

/** Makes a change and its audit entry in one transaction: neither is ever there without the other. */
export async function change<Result>(house: House, request: RequestFacts, { write, target, taken, found }: Change<Result>): Promise<Result> {
  try {
    return await retryContended(() =>
      house.db.$transaction(async (tx) => {
        // Exclusion constraints keep names unique, and two writers of one name at once would wait for each other: this puts them in line.
        if (taken !== undefined) await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${taken}, 0))`
        const result = await write(tx)
        await tx.auditEntry.create({ data: auditEntry(request, target, 'done'), select: { seq: true } })
        return result
      }),
    )
  } catch (error) {
    if (taken === undefined || !isDuplicate(error)) throw error
    const earlier = request.repeatable ? await found?.() : null
    if (earlier) return earlier
    throw new Problem('conflict', taken)
  }
}

/** Runs a transaction again that the server gave up in favour of another one, such as two renames that cross. */
async function retryContended<Result>(transact: () => Promise<Result>, triesLeft = 4): Promise<Result> {
  try {
    return await transact()
  } catch (error) {
    if (!isContended(error)) throw error
    if (triesLeft === 0) throw new Problem('overloaded', 'The record is being changed by too many requests at once; try again shortly.', { cause: error })
    return retryContended(transact, triesLeft - 1)
  }
}

/** An entry of the audit log; the database chains it to the one before. */
export function auditEntry(request: RequestFacts, target: string | null, outcome: string) {
  return {
    actor: request.caller.keyId,
    operation: request.operation,
    target,
    outcome,
    requestId: request.requestId,
    prevHash: new Uint8Array(),
    hash: new Uint8Array(),
  }
}

/** The condition that a write of this request puts on a record's version. */
export function atVersion(request: RequestFacts): { version?: number } {
  return request.ifMatch === undefined ? {} : { version: request.ifMatch }
}

/** Why a conditional write met no row: the record is gone, or its version is another. */
export function missed(noun: string, name: string, current: { version: number } | null): Problem {
  if (!current) return notFound(noun, name)
  return new Problem('precondition_failed', `The ${noun} is at version ${current.version}; read it again and repeat the change.`)
}

export function notFound(noun: string, name: string): Problem {
  return new Problem('not_found', `There is no ${noun} ${JSON.stringify(name)}.`)
}

/** The record, or a 404 that names it. */
export function orNotFound<Row>(row: Row | null | undefined, noun: string, name: string): Row {
  if (row === null || row === undefined) throw notFound(noun, name)
  return row
}
