import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../src/platform/prisma/generated/client.ts'
import type { Row } from '../../src/query/rows.ts'
import type { House } from '../../src/services/house.ts'
import { encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import { encodeRecords, type FoundRecord } from '../../src/services/sirp/engine/commandRecords.ts'

type Given<Draft> = Partial<Draft>

/** Stores a query as the engine would, without running it; answers its id. */
export async function keepQuery({ db }: House, given: Given<Prisma.QueryUncheckedCreateInput> = {}): Promise<string> {
  const id = given.id ?? randomUUID()
  const usual = { requestId: 'r', query: 'range 3', mode: 'comprehensive', cleanup: false, summary: false, minutes: 60, ttl: 86_400, stagesTotal: 1 }
  await db.query.create({ data: { ...usual, ...given, id }, select: { id: true } })
  return id
}

/** Stores a stage that has begun. */
export async function keepStage({ db }: House, queryId: string, stage: number, given: Given<Prisma.QueryStageUncheckedCreateInput> = {}): Promise<void> {
  await db.queryStage.create({ data: { command: 'range', kind: 'generate', status: 'completed', ...given, queryId, stage } })
}

/** Stores the record of a command that has ended. */
export async function keepCommand({ db }: House, queryId: string, stage: number, index: number, given: Given<FoundRecord> = {}): Promise<void> {
  const usual = { args: [3], flags: {}, status: 'completed', attempts: 1, rows: 3, bytes: 20, ms: 1.5, cached: false, warnings: [], error: null, screenshot: null, flight: false } as const
  const { command = 'range', ...record } = given
  const [chunk] = await encodeRecords([{ ...usual, ...record, index }])
  if (chunk) await db.commandRecord.create({ data: { queryId, stage, firstIndex: index, count: 1, command, data: new Uint8Array(chunk.data) } })
}

interface SetShape {
  /** Rows of each chunk, in turn. */
  readonly sizes?: readonly number[]
  /** False leaves the set as it is while units write it side by side. */
  readonly complete?: boolean
}

/** Stores rows as a set of chunks; answers its id. */
export async function keepRows({ pool }: House, queryId: string, rows: readonly Row[], { sizes = [1_000], complete = true }: SetShape = {}): Promise<string> {
  const id = randomUUID()
  await pool.query('INSERT INTO row_sets (id, query_id, complete, rows) VALUES ($1, $2, $3, $4)', [id, queryId, complete, complete ? rows.length : 0])
  for (let start = 0, turn = 0; start < rows.length; turn += 1) {
    const chunk = rows.slice(start, start + (sizes[turn % sizes.length] ?? 1_000))
    // Gaps between the numbers, as units that make fewer chunks than they may leave them.
    const values = [id, turn * 1_000_000, complete ? start : null, chunk.length, await encodeRows(chunk)]
    await pool.query('INSERT INTO row_chunks (set_id, sequence, row_start, row_count, data) VALUES ($1, $2, $3, $4, $5)', values)
    start += chunk.length
  }
  return id
}

/** Rows `{n: 0}`, `{n: 1}` and so on. */
export const countedRows = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n }))

/** Stores a completed query of one stage with these rows; answers the ids of both. */
export async function keepResults(house: House, rows: readonly Row[], shape: SetShape & Given<Prisma.QueryUncheckedCreateInput> = {}): Promise<{ id: string; setId: string }> {
  const { sizes, complete, ...query } = shape
  const id = query.id ?? randomUUID()
  const setId = await keepRows(house, id, rows, { ...(sizes ? { sizes } : {}), ...(complete === undefined ? {} : { complete }) })
  await keepQuery(house, { status: 'completed', stagesCompleted: 1, rows: rows.length, resultSet: setId, ...query, id })
  await keepStage(house, id, 0, { rowSet: setId, rowsOut: rows.length })
  return { id, setId }
}
