import { Batcher } from '../../../platform/batcher.ts'
import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import type { House } from '../../house.ts'
import { hearEnd } from './endNews.ts'
import { isEnding, wakesOf } from './wakes.ts'
import { perHouse } from '../../perHouse.ts'

/** A query as one who waits for it sees it. */
export interface SeenQuery {
  readonly id: string
  readonly status: string
  readonly rows: number
  readonly resultSet: string | null
  readonly error: Failure | null
  /** The first rows as they are kept, where the query has completed and they are few. */
  readonly first: Buffer | null
}

/** Waits until a query has ended, the time has passed, the process ends or the signal says so; answers what is then there, null for a query that is gone. */
export function waitForEnd(house: House, waiting: Waiting): Promise<SeenQuery | null> {
  const { id } = waiting
  return waitUntil(house, waiting, (news) => (news === undefined ? readerOf(house).add(id) : Promise.resolve(hearEnd(id, news))), (seen) => !seen || isEnd(seen.status))
}

/** What is waited for, how long, and until when at most. */
export interface Waiting {
  readonly id: string
  readonly waitMs: number
  readonly signal: AbortSignal
  /** Whether it has only just begun, so that there is nothing to see before there is word of it. */
  readonly isNew?: boolean
}

/** How long the first look at something new waits for word of it. */
const firstLookMs = 50

/** How one who waits sees something: by a look of his own, or by the news of it. */
export type Look<Seen> = (news: string | undefined) => Promise<Seen>

/** Looks at something now and after each word of its end, until it is over or nobody waits any more; answers what was seen last. */
export async function waitUntil<Seen>(house: House, { id, waitMs, signal, isNew = false }: Waiting, look: Look<Seen>, isOver: (seen: Seen) => boolean): Promise<Seen> {
  const until = performance.now() + waitMs
  let wakeUp = (): void => undefined
  let called = false
  let news: string | undefined
  // Listening begins before the first look, so that no end is missed in between.
  const stop = wakesOf(house).onEnd(id, (told) => {
    called = true
    news ??= told
    wakeUp()
  })
  try {
    if (isNew) await next(Math.min(firstLookMs, waitMs), signal, (wake) => (wakeUp = wake))
    for (;;) {
      called = false
      const seen = await look(news)
      const leftMs = until - performance.now()
      if (isOver(seen) || leftMs <= 0 || signal.aborted || isEnding(house)) return seen
      if (!called) await next(leftMs, signal, (wake) => (wakeUp = wake))
    }
  } finally {
    stop()
  }
}

const isEnd = (status: string): boolean => status !== 'queued' && status !== 'running'

function next(ms: number, signal: AbortSignal, listen: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    listen(done)
  })
}

/** However many wait, they look together. */
const readerOf = perHouse((house) => new Batcher((ids: readonly string[]) => readAll(house, ids), { maxItems: 500, lanes: 2 }))

async function readAll({ pool }: House, ids: readonly string[]): Promise<(SeenQuery | null)[]> {
  const { rows } = await pool.query<Omit<SeenQuery, 'rows'> & { rows: string }>({ name: 'queries-seen', text: seenSql, values: [ids] })
  const seen = new Map(rows.map((row) => [row.id, { ...row, rows: Number(row.rows) }]))
  return ids.map((id) => seen.get(id) ?? null)
}

const firstBytes = 65_536

const seenSql = `
  SELECT id, status, rows, result_set AS "resultSet", error,
    (SELECT data FROM row_chunks WHERE set_id = result_set AND row_start = 0 AND row_count > 0 AND octet_length(data) <= ${firstBytes} LIMIT 1) AS first
  FROM queries WHERE id = ANY($1::uuid[])`
