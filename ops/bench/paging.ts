import { createClient, type Call } from '../../src/client/index.ts'
import { compareTimes, medianOf, type Bench } from './measure.ts'
import { onStage } from './stage.ts'

const rows = 1_000_000
const far = 900_000
const rounds = 100
const sorted = { sortKey: 'n', sortOrder: 'descending' }

/** Reads a page far behind in a million rows, beside the first page; and the same of rows that were sorted once. Reads alternate. */
export const benchPaging: Bench = () =>
  onStage(async (stage) => {
    const { url } = await stage.start('dist/src/api/main.js')
    await stage.startWorker()
    const call = createClient({ baseUrl: url, apiKey: stage.apiKey })
    const { id } = await call('sirp.query.dispatchWait', { body: { query: `range ${rows}` } })
    await read(call, id, far, { ...sorted }) // the first time puts them in order
    const times = { near: [] as number[], far: [] as number[], sorted: [] as number[] }
    for (let round = -20; round < rounds; round += 1) {
      const [near, behind, inOrder] = [await read(call, id, 0), await read(call, id, far), await read(call, id, far, sorted)]
      if (round < 0) continue
      times.near.push(near)
      times.far.push(behind)
      times.sorted.push(inOrder)
    }
    const near = medianOf(times.near)
    return [
      compareTimes('a page at offset 900,000 of a million rows', medianOf(times.far), 'at offset 0', near, 2),
      compareTimes('the same of sorted rows, not the first time', medianOf(times.sorted), 'at offset 0, not sorted', near, 2),
    ]
  })

async function read(call: Call, id: string, offset: number, order: Readonly<Record<string, string>> = {}): Promise<number> {
  const start = performance.now()
  const { total } = await call('sirp.query.results', { params: { id }, query: { offset, limit: 100, ...order } })
  if (total !== rows) throw new Error(`the result has ${total} rows`)
  return performance.now() - start
}
