import { createHash, createHmac } from 'node:crypto'
import { pause } from '../platform/clock.ts'
import { Problem } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Caller } from '../services/handler.ts'
import type { House } from '../services/house.ts'
import { withSecondTry } from './secondTry.ts'

/** How long a request may take before a repeat believes that its process died, and takes over. */
const leaseMs = 30_000
/** How long a first answer is kept. */
export const idempotencyKeptMs = 24 * 3_600_000
const pollMs = 40
/** A connection that was cut is no reason to let repeats wait: the next one may do. */
const keepTries = 3

/** An answer as it is kept for repeats. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Attempt {
  readonly house: House
  readonly caller: Caller
  readonly key: string
  readonly fingerprint: Buffer
}

/** What an idempotent request must equal to count as the same. */
export function fingerprintOf(method: string, url: string, body: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify([method, url, body ?? null])).digest()
}

/**
 * Runs a request at most once for each key: the first one runs, equal ones that come meanwhile or later get its answer.
 * `run` receives the id for what it creates; after a crash a repeat runs again with that same id.
 */
export async function onlyOnce(given: Attempt, run: (workId: string) => Promise<KeptAnswer>): Promise<KeptAnswer> {
  // A body may hold a password: without the installation's key nobody can try words against its digest.
  const attempt = { ...given, fingerprint: createHmac('sha256', await given.house.vault.pepper()).update(given.fingerprint).digest() }
  const giveUpAt = Date.now() + leaseMs
  const workId = newId()
  for (;;) {
    const claim = await withSecondTry(() => claimOrRead(attempt, workId))
    if ('answer' in claim) return claim.answer
    if ('workId' in claim) return runClaimed(attempt, claim.workId, run)
    if (Date.now() > giveUpAt) throw new Problem('idempotency_running', 'The first request with this key is still being worked on.', { retryAfterS: 5 })
    await pause(pollMs)
  }
}

type Claim = { workId: string } | { answer: KeptAnswer } | { running: true }

interface Kept {
  work_id: string
  fingerprint: Buffer
  mine: boolean
  status: number | null
  sealed: string | null
}

/** One statement claims the key where it is new, kept too long, or left by a process that died, and reads it otherwise. */
async function claimOrRead({ house, caller, key, fingerprint }: Attempt, workId: string): Promise<Claim> {
  const { rows } = await house.pool.query<Kept>({ name: 'idempotency-claim', text: claimSql, values: [caller.keyId, key, fingerprint, workId, leaseMs, idempotencyKeptMs] })
  const kept = rows[0]
  if (!kept) return { running: true }
  if (!kept.fingerprint.equals(fingerprint)) throw new Problem('idempotency_mismatch', 'This Idempotency-Key came with another request before; use a new key.')
  if (kept.mine) return { workId: kept.work_id }
  if (kept.sealed === null) return { running: true }
  return { answer: JSON.parse(house.box.open(placeOf(caller, key), kept.sealed)) as KeptAnswer }
}

/**
 * What a process that died has left is taken over with its id; what was kept too long counts as new. The reading part sees the
 * table as it was when the statement began: a row that was too old by then has just been claimed by another, and is asked for again.
 * A claim whose answer was lost is known by its id.
 */
const claimSql = `
  WITH claimed AS (
    INSERT INTO idempotent_requests AS kept (api_key_id, key, fingerprint, work_id, lease_until)
    VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
    ON CONFLICT (api_key_id, key) DO UPDATE SET
      lease_until = excluded.lease_until,
      work_id = CASE WHEN kept.created_at < now() - $6 * interval '1 millisecond' THEN excluded.work_id ELSE kept.work_id END,
      created_at = CASE WHEN kept.created_at < now() - $6 * interval '1 millisecond' THEN now() ELSE kept.created_at END,
      fingerprint = excluded.fingerprint, status = NULL, sealed = NULL
    WHERE (kept.status IS NULL AND kept.lease_until < now() AND kept.fingerprint = excluded.fingerprint)
       OR (kept.created_at < now() - $6 * interval '1 millisecond' AND (kept.status IS NOT NULL OR kept.lease_until < now()))
    RETURNING work_id, fingerprint, true AS mine, status, sealed)
  SELECT * FROM claimed
  UNION ALL
  SELECT work_id, fingerprint, work_id = $4, status, sealed FROM idempotent_requests
  WHERE api_key_id = $1 AND key = $2 AND created_at >= now() - $6 * interval '1 millisecond' AND NOT EXISTS (SELECT 1 FROM claimed)`

/** Runs the request that holds the claim, and keeps its answer. */
async function runClaimed(attempt: Attempt, workId: string, run: (workId: string) => Promise<KeptAnswer>): Promise<KeptAnswer> {
  const { house, caller, key } = attempt
  const mine = { apiKeyId: caller.keyId, key, workId }
  const stopRenewing = renewLease(house, mine)
  let answer: KeptAnswer
  try {
    answer = await run(workId)
  } catch (error) {
    stopRenewing()
    await release(house, mine, error)
    throw error
  }
  stopRenewing()
  const sealed = house.box.seal(placeOf(caller, key), JSON.stringify(answer))
  await keepAnswer(house, mine, answer.status, sealed)
  return answer
}

/** The work is done: if its answer cannot be kept, a repeat that comes after the lease runs again with the same id and finds what is there. */
async function keepAnswer(house: House, mine: Mine, status: number, sealed: string): Promise<void> {
  for (let triesLeft = keepTries - 1; ; triesLeft -= 1) {
    try {
      await house.db.idempotentRequest.updateMany({ where: mine, data: { status, sealed } })
      return
    } catch (err) {
      if (triesLeft === 0) return house.log.warn({ err }, 'an idempotent answer was not kept')
      await pause(pollMs)
    }
  }
}

interface Mine {
  readonly apiKeyId: string
  readonly key: string
  readonly workId: string
}

/** A request may wait long for its work: as long as its process lives, no repeat takes over. */
function renewLease(house: House, mine: Mine): () => void {
  const renew = () => house.db.idempotentRequest.updateMany({ where: mine, data: { leaseUntil: new Date(Date.now() + leaseMs) } })
  const timer = setInterval(() => void renew().catch(() => undefined), leaseMs / 3).unref()
  return () => clearInterval(timer)
}

/** A refused request leaves no trace; one that ended in doubt keeps its id, so that a repeat cannot do its work twice. */
async function release(house: House, mine: Mine, error: unknown): Promise<void> {
  const refused = error instanceof Problem && error.status < 500
  const table = house.db.idempotentRequest
  await (refused ? table.deleteMany({ where: mine }) : table.updateMany({ where: mine, data: { leaseUntil: new Date() } })).catch(() => undefined)
}

const placeOf = (caller: Caller, key: string) => ({ table: 'idempotent_requests', id: `${caller.keyId} ${key}`, field: 'sealed' })
