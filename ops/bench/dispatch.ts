import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { fromChild } from './fromChild.ts'
import { compareRates, medianOf, type Bench } from './measure.ts'
import { onStage } from './stage.ts'

const connections = 50
const seconds = 4
const rounds = 3
const settings = { MAX_QUEUED: '10000000', MAX_QUEUED_PER_KEY: '10000000' }

/** Dispatches queries that are all different, beside a bare route and beside BullMQ alone; rounds alternate on the same machine. */
export const benchDispatch: Bench = () =>
  onStage(async (stage) => {
    const ours = await stage.start('dist/src/api/main.js')
    const bare = await stage.start('dist/ops/bench/bareDispatch.js', { args: [stage.databaseUrl, stage.redisUrl, '$PORT'] })
    const rates = { ours: [] as number[], bare: [] as number[], adds: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const bareRate = await rateOf(`${bare.url}/dispatch`, {})
      const ourRate = await rateOf(`${ours.url}/v1/sirp/query/runner/dispatch`, { authorization: `svc ${stage.apiKey}` })
      if (round === 0) continue // to warm up
      rates.bare.push(bareRate)
      rates.ours.push(ourRate)
      rates.adds.push(await fromChild<number>('bareAdd', [stage.redisUrl, String(connections), '2']))
    }
    const [our, bareRoute, adds] = [medianOf(rates.ours), medianOf(rates.bare), medianOf(rates.adds)]
    const what = `dispatches, ${connections} connections, durable`
    return [
      compareRates(what, our, 'a bare Koa route: one PostgreSQL insert, one BullMQ add', bareRoute, 1),
      compareRates(what, our, 'BullMQ add alone', adds, 0.2),
    ]
  }, settings)

async function rateOf(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    headers: { ...headers, 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify({ query: `seed '{"id": "${randomUUID()}"}'` }) }) }],
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} failed`)
  return result.requests.average
}
