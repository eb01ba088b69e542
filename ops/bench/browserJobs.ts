import { createClient, type Call } from '../../src/client/index.ts'
import { fromChild } from './fromChild.ts'
import { compareRates, medianOf, type Measured } from './measure.ts'
import { openPageTarget } from './pageTarget.ts'
import { onStage } from './stage.ts'

/** One comparison with a bare Puppeteer loop. */
export interface BrowserBench {
  readonly what: string
  /** How the bare loop works. */
  readonly way: 'selector' | 'open' | 'screenshot'
  readonly beside: string
  readonly pages: number
  readonly least: number
  /** Opens so many pages below an address by our service. */
  readonly run: (call: Call, url: string, pages: number) => Promise<void>
}

const atOnce = 4
const rounds = 3
const settings = { POLICY_DEFAULT: 'off', EGRESS_ALLOW: '127.0.0.0/8', BROWSER_CONCURRENCY: String(atOnce) }

/** Measures browser work of our service beside bare Puppeteer with the same binary and as many pages at once; rounds alternate. */
export function benchBeside({ what, way, beside, pages, least, run }: BrowserBench): Promise<Measured[]> {
  return onStage(async (stage) => {
    const target = await openPageTarget()
    const { url } = await stage.start('dist/src/api/main.js')
    await stage.startWorker()
    await stage.startWorker('browser')
    const call = createClient({ baseUrl: url, apiKey: stage.apiKey })
    const rates = { ours: [] as number[], bare: [] as number[] }
    try {
      await run(call, `${target.url}/warm`, atOnce * 2)
      for (let round = 1; round <= rounds; round += 1) {
        rates.bare.push((pages / (await fromChild<number>('bareBrowser', [way, `${target.url}/bare${round}`, String(pages), String(atOnce)]))) * 1_000)
        const start = performance.now()
        await run(call, `${target.url}/${round}`, pages)
        rates.ours.push((pages / (performance.now() - start)) * 1_000)
      }
    } finally {
      target.close()
    }
    return [compareRates(what, medianOf(rates.ours), `${beside}, ${atOnce} at once`, medianOf(rates.bare), least)]
  }, settings)
}

/** Calls so many times, twice as many at once as there are pages, so that none of them is ever idle. */
export async function callAll(pages: number, one: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < pages; index = next++) await one(index)
  }
  await Promise.all(Array.from({ length: atOnce * 2 }, lane))
}
