import { Problem } from '../../platform/errors.ts'
import type { EachContext } from '../command.ts'
import type { Compiled } from '../expressions/compile.ts'
import { asText, isTrue } from '../expressions/values.ts'
import type { Incoming } from '../outside.ts'
import type { Batch, Row } from '../rows.ts'
import { placeOf, responseColumns } from './answer.ts'
import { isLinkHeader, nextLink } from './linkHeader.ts'

/** How one request becomes several. */
export interface Paging {
  /** Asks again while it holds for the first row of the answer. */
  readonly while: Compiled | undefined
  /** Finds the address of the next page in the first row of the answer. */
  readonly paginate: Compiled | undefined
  readonly pages: number
  readonly delayMs: number
}

/** Sends a request for an address, and reads the rows of what comes. */
export interface Asking {
  send(url: string): Promise<Incoming>
  read(incoming: Incoming): AsyncIterable<Batch>
}

/** The rows of all pages from an address on; of an answer that is asked for again only the last one counts. */
export async function* askPages(url: string, paging: Paging, asking: Asking, context: EachContext): AsyncGenerator<Batch> {
  if (!paging.paginate) return yield* (await askWhile(url, paging, asking, context)).rows
  const seen = new Set<string>()
  for (let next: string | undefined = url, page = 1; next !== undefined; page += 1) {
    if (page > 1) await pause(paging.delayMs, context)
    const { incoming, first, rows } = await askWhile(next, paging, asking, context)
    // A redirect may have led to an address that a later page names.
    seen.add(new URL(next).href).add(incoming.url)
    yield* rows
    next = nextOf(first, incoming, paging, context)
    if (next === undefined || seen.has(next)) return
    if (page < paging.pages) continue
    context.warn(`--paginate stopped after ${paging.pages} pages, and there is another; --pages allows more`)
    return
  }
}

interface Page {
  readonly incoming: Incoming
  /** What conditions see: the first row of the answer, and how it came. */
  readonly first: Row
  readonly rows: AsyncIterable<Batch>
}

async function askWhile(url: string, paging: Paging, asking: Asking, context: EachContext): Promise<Page> {
  for (;;) {
    const incoming = await asking.send(url)
    const batches = asking.read(incoming)[Symbol.asyncIterator]()
    const begin = await batches.next()
    const first = paging.while || paging.paginate ? { ...(begin.done ? {} : begin.value[0]), ...responseColumns(incoming) } : {}
    if (!paging.while || !isTrue(paging.while(first, context.lookup))) return { incoming, first, rows: rest(begin, batches) }
    await batches.return?.()
    await pause(paging.delayMs, context)
  }
}

async function* rest(begin: IteratorResult<Batch>, batches: AsyncIterator<Batch>): AsyncGenerator<Batch> {
  try {
    for (let next = begin; !next.done; next = await batches.next()) yield next.value
  } finally {
    await batches.return?.()
  }
}

function nextOf(first: Row, incoming: Incoming, { paginate }: Paging, { lookup }: EachContext): string | undefined {
  const value = paginate ? paginate(first, lookup) : null
  const written = value === false ? '' : asText(value).trim()
  const found = isLinkHeader(written) ? nextLink(written) : written
  if (found === '') return undefined
  if (value !== true && URL.canParse(found, incoming.url)) return new URL(found, incoming.url).href
  throw new Problem('target_unreadable', `--paginate yields something that is no address, at ${placeOf(incoming.url)}: ${JSON.stringify(found.slice(0, 100))}.`)
}

async function pause(ms: number, { outside, signal }: EachContext): Promise<void> {
  if (ms > 0) await outside.rest(ms, signal)
  signal.throwIfAborted()
}
