import { Readable } from 'node:stream'
import type { ResultsPage, Row } from '../../contract/sirp/queryResults.ts'
import { invalid, Problem } from '../../platform/errors.ts'
import { csvHeader, csvLines } from '../../query/formats/csvWriter.ts'
import { ndjsonLines } from '../../query/formats/ndjsonWriter.ts'
import type { Batch } from '../../query/rows.ts'
import { Download } from '../handler.ts'
import type { House } from '../house.ts'
import { nextPiece, openSet, type RowSource } from './engine/rowPages.ts'
import { ListedRows, openSorted } from './engine/sortedRows.ts'

/** What stands before the page in an answer: whose rows they are. */
type Head = { readonly id: string; readonly stage?: number }

interface PageFacts {
  readonly total: number
  readonly offset: number
  readonly limit: number
}

/** One page of rows in the form that was asked for. */
export type RowsAnswer<Of extends Head> = Of & PageFacts & { readonly results: (Row | { content: Row })[] }

/** Which rows are read, and what a streamed answer is called. */
export interface RowsAsked<Of extends Head> {
  readonly head: Of
  /** The set that holds them; null where there is none because nothing has been made yet. */
  readonly setId: string | null
  /** Said when the set is no longer there. */
  readonly missing: string
  readonly filename: string
}

/** Answers rows as a page of JSON, or as a stream of everything; sorted where that was asked for. */
export async function answerRows<Of extends Head>(
  house: House, { head, setId, missing, filename }: RowsAsked<Of>, asked: ResultsPage,
): Promise<RowsAnswer<Of> | Download> {
  const { mode = 'content', offset = 0, limit } = asked
  const order = orderOf(asked)
  const source = setId === null ? new ListedRows([]) : await openSource(house, setId, order)
  if (!source) throw new Problem('not_found', missing)
  if (mode === 'csv' || mode === 'ndjson') {
    const read = (): AsyncIterable<Batch> => (limit === undefined ? source.stream(offset) : source.pieces(offset, limit))
    return new Download(textStream(mode === 'csv' ? csvText(read) : ndjsonText(read)), contentTypes[mode], { filename: `${filename}.${mode}` })
  }
  const page = { ...head, total: source.total, offset, limit: limit ?? 100 }
  return answerPage<typeof page, Row | { content: Row }>(page, source, mode === 'rows' ? (row) => row : (content) => ({ content }))
}

/** A page that is too large for one text is written as it is read. */
async function answerPage<Page extends PageFacts, Shown>(
  page: Page, source: RowSource, show: (row: Row) => Shown,
): Promise<(Page & { results: Shown[] }) | Download> {
  const pieces = source.pieces(page.offset, page.limit)[Symbol.asyncIterator]()
  const first = (await nextPiece(pieces)) ?? []
  const isAll = first.length >= Math.min(page.limit, page.total - page.offset)
  return isAll ? { ...page, results: first.map(show) } : new Download(textStream(pageText(page, first, pieces, show)), 'application/json')
}

async function* pageText(page: object, first: Batch, rest: AsyncIterator<Batch>, show: (row: Row) => unknown): AsyncGenerator<string> {
  let before = `${JSON.stringify(page).slice(0, -1)},"results":[`
  for (let rows: Batch | undefined = first; rows; rows = await nextPiece(rest)) {
    for (const row of rows) {
      yield before + JSON.stringify(show(row))
      before = ','
    }
  }
  yield ']}'
}

const textStream = (text: AsyncIterable<string>): Readable => Readable.from(text, { objectMode: false })

const contentTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

interface Order {
  readonly key: string
  readonly descending: boolean
}

const openSource = (house: House, setId: string, order: Order | null): Promise<RowSource | null> =>
  order ? openSorted(house, { setId, ...order }) : openSet(house.pool, setId)

/** A key alone asks for sorting too; sorting by nothing is a mistake that is told. */
function orderOf({ sort, sortKey, sortOrder = 'ascending' }: ResultsPage): Order | null {
  if (sort === true && sortKey === undefined) {
    throw invalid([{ path: '/sortKey', message: 'must name the column to sort by where sort is true', in: 'query' }])
  }
  if (sortKey === undefined || sort === false) return null
  return { key: sortKey, descending: sortOrder.startsWith('desc') }
}

async function* ndjsonText(read: () => AsyncIterable<Batch>): AsyncGenerator<string> {
  for await (const batch of read()) yield ndjsonLines(batch)
}

/** The header names every column, so all rows are looked at before the first is written. */
async function* csvText(read: () => AsyncIterable<Batch>): AsyncGenerator<string> {
  const columns = new Set<string>()
  for await (const batch of read()) for (const row of batch) for (const name in row) columns.add(name)
  const names = [...columns]
  yield csvHeader(names)
  for await (const batch of read()) yield csvLines(names, batch)
}
