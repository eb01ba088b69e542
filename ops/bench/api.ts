import { createClient } from '../../src/client/index.ts'
import { fromChild } from './fromChild.ts'
import { compareRates, medianOf, type Bench } from './measure.ts'
import { onStage } from './stage.ts'
import { openTarget } from './target.ts'

const rows = 2_000
const atOnce = 64
const rounds = 7
const settings = { POLICY_DEFAULT: 'off', EGRESS_ALLOW: '127.0.0.0/8', FETCH_CONCURRENCY: String(atOnce) }

/** Asks an API for each of 2,000 rows, from the dispatch to the end, beside an undici loop; rounds alternate, no address comes twice. */
export const benchApi: Bench = () =>
  onStage(async (stage) => {
    const target = await openTarget(0)
    const { url } = await stage.start('dist/src/api/main.js')
    await stage.startWorker()
    const call = createClient({ baseUrl: url, apiKey: stage.apiKey })
    const rates = { ours: [] as number[], bare: [] as number[] }
    try {
      for (let round = 0; round <= rounds; round += 1) {
        const bareMs = await fromChild<number>('bareFetch', [`${target.url}/bare`, String(rows), String(atOnce)])
        const start = performance.now()
        const query = `range ${rows} || api get ${target.url}/${round}/$n$`
        const { status, total } = await call('sirp.query.dispatchWait', { body: { query } })
        const ourMs = performance.now() - start
        if (status !== 'completed' || total !== rows) throw new Error(`the query is ${status} with ${total} rows`)
        if (round === 0) continue // to warm up
        rates.bare.push((rows / bareMs) * 1_000)
        rates.ours.push((rows / ourMs) * 1_000)
      }
    } finally {
      target.close()
    }
    return [compareRates('api get over 2,000 rows', medianOf(rates.ours), `an undici loop, ${atOnce} at once`, medianOf(rates.bare), 0.7)]
  }, settings)
