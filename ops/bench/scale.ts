import { createClient } from '../../src/client/index.ts'
import { compareRates, type Bench, type Measured } from './measure.ts'
import { onStage, type Stage } from './stage.ts'
import { openTarget } from './target.ts'

const rows = 960
const settings = { POLICY_DEFAULT: 'off', EGRESS_ALLOW: '127.0.0.0/8', FETCH_CONCURRENCY: '16' }
const targets = [
  { processes: 2, least: 1.8 },
  { processes: 4, least: 3.4 },
]

/** Requests that take 150 ms each, through one, two and four query processes. */
export const benchScale: Bench = () =>
  onStage(async (stage) => {
    const target = await openTarget(150)
    const { url } = await stage.start('dist/src/api/main.js')
    const measure = measurer(stage, url, target.url)
    try {
      const one = await measure(1)
      const results: Measured[] = []
      for (const { processes, least } of targets) {
        results.push(compareRates(`requests of 150 ms, ${processes} query processes`, await measure(processes), 'one process', one, least))
      }
      return results
    } finally {
      target.close()
    }
  }, settings)

/** Rows a second with so many processes, of which those that run already are used. */
function measurer(stage: Stage, url: string, target: string): (processes: number) => Promise<number> {
  const call = createClient({ baseUrl: url, apiKey: stage.apiKey })
  let running = 0
  const run = async (path: string, count: number): Promise<void> => {
    const { status, total } = await call('sirp.query.dispatchWait', { body: { query: `range ${count} || api get ${target}/${path}/$n$` } })
    if (status !== 'completed' || total !== count) throw new Error(`the query is ${status} with ${total} rows`)
  }
  return async (processes) => {
    for (; running < processes; running += 1) await stage.startWorker()
    await run(`warm${processes}`, processes * 32)
    const start = performance.now()
    await run(`of${processes}`, rows)
    return (rows / (performance.now() - start)) * 1_000
  }
}
