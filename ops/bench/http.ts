import autocannon from 'autocannon'
import { createClient } from '../../src/client/index.ts'
import { compareRates, type Bench } from './measure.ts'
import { onStage } from './stage.ts'

const seconds = 6
const connections = 50

/** Reads one record, beside a bare Koa route that does the same select; rounds alternate, so that both see the same machine. */
export const benchHttp: Bench = () =>
  onStage(async (stage) => {
    const ours = await stage.start('dist/src/api/main.js')
    const bare = await stage.start('dist/ops/bench/bareHttp.js', { args: [stage.databaseUrl, '$PORT'] })
    const call = createClient({ baseUrl: ours.url, apiKey: stage.apiKey })
    const policy = await call('gonogo.policy.create', { body: { name: 'bench', domain: 'bench.example', policy: { perSecond: 1 } } })
    const path = `/v1/gonogo/policies/${policy.id}`
    const rates = { ours: 0, bare: 0 }
    for (const warm of [true, false, false]) {
      const bareRate = await rateOf(bare.url + path, {})
      const ourRate = await rateOf(ours.url + path, { authorization: `svc ${stage.apiKey}` })
      if (warm) continue
      rates.bare += bareRate / 2
      rates.ours += ourRate / 2
    }
    return [compareRates('read one record, 50 connections', rates.ours, 'bare Koa + @koa/router + pg, the same select', rates.bare, 0.4)]
  })

async function rateOf(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds, headers })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} failed`)
  return result.requests.average
}
