import { createHash } from 'node:crypto'
import type pg from 'pg'

/** What a walk along the audit log found. */
export interface ChainReport {
  /** Entries that fit, up to the first that does not. */
  readonly entries: number
  readonly ok: boolean
  /** Number of the first entry that was changed, or before which one is missing. */
  readonly brokenAt?: number
  /** The last entry that fits; whoever notes it can tell later whether entries were cut off behind it. */
  readonly head?: { readonly seq: number; readonly hash: string }
}

/** An entry of the audit log as it is kept. */
export interface ChainEntry {
  readonly seq: string
  readonly at: Date | number
  readonly actor: string
  readonly operation: string
  readonly target: string | null
  readonly outcome: string
  readonly request_id: string
  readonly prev_hash: Buffer
  readonly hash: Buffer
}

const batch = 1_000

/** The least number there can be, so that an entry that was slipped in before the first is seen too. */
const beforeAll = '-9223372036854775808'

/** What the first entry is chained to. */
export const rootHash = sha256('quern')

/**
 * Walks the audit log in order and checks that each entry carries its own hash and that of the entry before.
 * The hashes are computed here, because whoever can change entries could change the database's functions as well.
 */
export async function verifyChain(pool: pg.Pool): Promise<ChainReport> {
  let previous = rootHash
  let report: ChainReport = { entries: 0, ok: true }
  for await (const entry of readEntries(pool)) {
    const seq = Number(entry.seq)
    if (!entry.prev_hash.equals(previous) || !isOwnHash(entry)) return { ...report, ok: false, brokenAt: seq }
    previous = entry.hash
    report = { entries: report.entries + 1, ok: true, head: { seq, hash: entry.hash.toString('hex') } }
  }
  return report
}

/** Every entry in the order of its number; nothing can appear behind the walk, because numbers are drawn under the lock of the chain. */
async function* readEntries(pool: pg.Pool): AsyncGenerator<ChainEntry> {
  let last = beforeAll
  for (;;) {
    const { rows } = await pool.query<ChainEntry>(
      `SELECT seq, at, actor, operation, target, outcome, request_id, prev_hash, hash
       FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT ${batch}`,
      [last],
    )
    yield* rows
    last = rows.at(-1)?.seq ?? last
    if (rows.length < batch) return
  }
}

/** Whether an entry carries the hash of what it says. */
export function isOwnHash(entry: ChainEntry): boolean {
  return entry.hash.equals(sha256(entryText(entry)))
}

/** The text that an entry's hash covers, as the database's `audit_entry_text` writes it. */
function entryText({ seq, at, actor, operation, target, outcome, request_id: requestId, prev_hash: previous }: ChainEntry): string {
  const fields = [Number(seq), Number(at), actor, operation, target, outcome, requestId, previous.toString('hex')]
  return `[${fields.map((field) => JSON.stringify(field)).join(', ')}]`
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
