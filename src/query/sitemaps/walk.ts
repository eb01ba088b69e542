import type { EachContext } from '../command.ts'
import { acceptable, placeOf, responseColumns } from '../fetch/answer.ts'
import { prepare, prepareAnonymous, type ConnectionFlags } from '../fetch/connection.ts'
import { textOf, unreadableAnswer } from '../fetch/text.ts'
import type { Incoming, Outgoing } from '../outside.ts'
import { Pace } from '../pace.ts'
import { cellAt } from '../columns.ts'
import type { Batch, Row } from '../rows.ts'
import { inBatches } from '../stream.ts'
import { readSitemap } from './readSitemap.ts'

/** Deepest index below which sitemaps are read: the protocol has one level, some sites have two. */
const maxDepth = 3
/** Sitemaps that are read for one row. */
const maxSitemaps = 1_000
/** Addresses that are read of one sitemap: the protocol allows no more. */
const maxAddresses = 50_000

/** What a walk over sitemaps needs. */
export interface SitemapCall {
  readonly flags: ConnectionFlags
  readonly row: Row
  readonly context: EachContext
}

/** Reads a sitemap, and all those that an index names, in their order. */
export class SitemapWalk {
  readonly #call: SitemapCall
  readonly #pace: Pace
  readonly #seen = new Set<string>()
  readonly #start: string
  #isFull = false

  constructor(url: string, call: SitemapCall) {
    this.#start = url
    this.#call = call
    this.#pace = new Pace(call.context.signal)
  }

  async *rows(): AsyncGenerator<Batch> {
    yield* this.#read(this.#start, 1)
  }

  async *#read(url: string, depth: number): AsyncGenerator<Batch> {
    if (!this.#admits(url)) return
    const incoming = await this.#fetch(url)
    if (!incoming) return
    try {
      const { kind, rows } = readSitemap(await textOf(incoming))
      if (kind === 'pages') yield* this.#pages(rows, incoming)
      else yield* this.#sitemaps(rows, incoming, depth)
    } catch (error) {
      throw unreadableAnswer(incoming, error)
    }
  }

  async *#pages(rows: Iterable<Row>, incoming: Incoming): AsyncGenerator<Batch> {
    const { flags, context: { warn } } = this.#call
    const extra = flags.response ? responseColumns(incoming) : {}
    let count = 0
    for await (const batch of inBatches(rows)) {
      const left = batch.slice(0, maxAddresses - count)
      if (left.length > 0) yield left.map((row) => ({ ...row, ...extra }))
      count += batch.length
      if (count > maxAddresses) return warn(`only the first ${maxAddresses.toLocaleString('en')} addresses of ${placeOf(incoming.url)} were read`)
      await this.#pace.giveWay()
    }
  }

  async *#sitemaps(rows: Iterable<Row>, incoming: Incoming, depth: number): AsyncGenerator<Batch> {
    const { warn } = this.#call.context
    if (depth === maxDepth) return warn(`${placeOf(incoming.url)} is an index of the depth ${maxDepth}; what is below it was not read`)
    for (const row of rows) {
      const loc = String(cellAt(row, 'loc'))
      if (URL.canParse(loc, incoming.url)) yield* this.#read(new URL(loc, incoming.url).href, depth + 1)
      if (this.#isFull) return
    }
  }

  #admits(url: string): boolean {
    if (this.#seen.has(url)) return false
    if (this.#seen.size >= maxSitemaps) {
      if (!this.#isFull) this.#call.context.warn(`only the first ${maxSitemaps.toLocaleString('en')} sitemaps were read`)
      this.#isFull = true
      return false
    }
    this.#seen.add(url)
    return true
  }

  /** One that an index names and that is gone is no reason to lose the others. */
  async #fetch(url: string): Promise<Incoming | undefined> {
    const { flags, context } = this.#call
    const incoming = await context.outside.send(await this.#request(url), context.signal)
    if (url !== this.#start && (incoming.status === 404 || incoming.status === 410)) {
      incoming.discard()
      context.warn(`the sitemap ${placeOf(url)} is gone: status ${incoming.status}`)
      return undefined
    }
    await acceptable(incoming, flags)
    return incoming
  }

  /** What identifies the sender is for the place that the query names. */
  async #request(url: string): Promise<Outgoing> {
    const { flags, row, context } = this.#call
    const draft = { method: 'GET', url, headers: { accept: 'application/xml, text/xml;q=0.9, */*;q=0.5' } }
    const isOwn = url === this.#start || new URL(url).origin === new URL(this.#start).origin
    return isOwn ? prepare(draft, flags, row, context) : prepareAnonymous(draft, flags, row, context)
  }
}
