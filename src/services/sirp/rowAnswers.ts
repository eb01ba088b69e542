import { Readable } from 'node:stream'
import type { ResultsPage, Row } from '../../contract/sirp/queryResults.ts'
import { invalid, Problem } from '../../platform/errors.ts'
import { csvHeader, csvLines } from '../../query/formats/csvWriter.ts'
import { ndjsonLines } from '../../query/formats/ndjsonWriter.ts'
import { Download } from '../handler.ts'
import type { House } from '../house.ts'
import { openSet, type RowSource } from './engine/rowPages.ts'
import { ListedRows, openSorted } from './engine/sortedRows.ts'

/** One page of rows in the form that was asked for. */
export interface RowsAnswer {
  readonly total: number
  readonly offset: number
  readonly limit: number
  readonly results: (Row | { content: Row })[]
}

/** Which rows are read, and what a streamed answer is called. */
export interface RowsAsked {
  /** The set that holds them; null where there is none because nothing has been made yet. */
  readonly setId: string | null
  /** Said when the set is no longer there. */
  readonly missing: string
  readonly filename: string
}

/** Answers rows as a page of JSON, or as a stream of everything; sorted where that was asked for. */
export async function answerRows(house: House, { setId, missing, filename }: RowsAsked, asked: ResultsPage): Promise<RowsAnswer | Download> {
  const { mode = 'content', offset = 0, limit } = asked
  const order = orderOf(asked)
  const source = setId === null ? new ListedRows([]) : await openSource(house, setId, order)
  if (!source) throw new Problem('not_found', missing)
  if (mode === 'csv' || mode === 'ndjson') {
    const rows = limit === undefined ? source : new ListedRows(await source.page(offset, limit))
    const text = mode === 'csv' ? csvText(rows, limit === undefined ? offset : 0) : ndjsonText(rows, limit === undefined ? offset : 0)
    return new Download(Readable.from(text, { objectMode: false }), contentTypes[mode], { filename: `${filename}.${mode}` })
  }
  const rows = await source.page(offset, limit ?? 100)
  return { total: source.total, offset, limit: limit ?? 100, results: mode === 'rows' ? rows : rows.map((content) => ({ content })) }
}

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

async function* ndjsonText(rows: RowSource, from: number): AsyncGenerator<string> {
  for await (const batch of rows.stream(from)) yield ndjsonLines(batch)
}

/** The header names every column, so all rows are looked at before the first is written. */
async function* csvText(rows: RowSource, from: number): AsyncGenerator<string> {
  const columns = new Set<string>()
  for await (const batch of rows.stream(from)) for (const row of batch) for (const name in row) columns.add(name)
  const names = [...columns]
  yield csvHeader(names)
  for await (const batch of rows.stream(from)) yield csvLines(names, batch)
}
