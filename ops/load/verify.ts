import { pause } from '../../src/platform/clock.ts'
import type { Target } from './target.ts'

/** What became of the queries that were accepted. */
export interface Verified {
  readonly asked: number
  /** How many queries are in each state that ends one. */
  readonly states: Readonly<Record<string, number>>
  /** Not ended when we stopped looking; they are known, and not lost. */
  readonly pending: number
  /** Accepted, and not known any more. */
  readonly lost: number
}

const atOnce = 16
const lookAgainMs = 500
/** How long we look on while not one more query ends. */
const patienceMs = 60_000

const ends = new Set(['completed', 'failed', 'cancelled', 'expired'])

/** Reads the state of every accepted query until all have ended, or none has for a minute. */
export async function verifyAll(target: Target, ids: readonly string[], stop: AbortSignal): Promise<Verified> {
  const states: Record<string, number> = {}
  let open = [...ids]
  let lost = 0
  let progressMs = performance.now()
  while (open.length > 0 && !stop.aborted && performance.now() - progressMs < patienceMs) {
    const left: string[] = []
    await eachOf(open, async (id) => {
      const state = await stateOf(target, id)
      if (state === 'lost') lost += 1
      else if (ends.has(state)) states[state] = (states[state] ?? 0) + 1
      else left.push(id)
    })
    if (left.length < open.length) progressMs = performance.now()
    open = left
    if (open.length > 0) await pause(lookAgainMs, stop)
  }
  return { asked: ids.length, states, pending: open.length, lost }
}

/** An answer that says nothing about the query, such as a 503, leaves it open: it is asked for again. */
async function stateOf(target: Target, id: string): Promise<string> {
  try {
    const { status, text } = await target.read(`/v1/sirp/query/${id}/status`)
    if (status === 404 || status === 410) return 'lost'
    return status === 200 ? (JSON.parse(text) as { status: string }).status : 'unknown' // the answer of sirp.query.status
  } catch {
    return 'unknown'
  }
}

async function eachOf(items: readonly string[], work: (item: string) => Promise<void>): Promise<void> {
  const left = items.values()
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
