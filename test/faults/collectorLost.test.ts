import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openCollector } from '../support/otlpCollector.ts'
import { complaintsOf, openStand, type Stand } from './harness/stand.ts'

/** Runs a query on a stand whose spans go to this address, and ends all processes right after. */
async function runAndEnd(endpoint: string): Promise<{ readonly stand: Stand; readonly ends: readonly { readonly code: number | string; readonly ms: number }[] }> {
  const stand = await openStand({ apis: 1, workers: 1, almanac: true, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })
  expect(await stand.call('sirp.query.dispatchWait', { body: { query: `range 3 || api get ${stand.site.origin}/$n$` } })).toMatchObject({ status: 'completed', total: 3 })
  return { stand, ends: await Promise.all(stand.places.map((place) => place.end())) }
}

describe('spans of processes that end', () => {
  test('are all handed over before', { timeout: 120_000 }, async () => {
    const collector = await openCollector()
    const { stand, ends } = await runAndEnd(collector.url)
    expect(ends.map(({ code }) => code), complaintsOf(stand)).toEqual([0, 0, 0])
    const names = new Set(collector.spans.map(({ service, name }) => `${service} ${name}`))
    const wanted = ['quern-api POST /v1/sirp/query/runner/dispatch/wait', 'quern-api query.dispatch', 'quern-query query.run', 'quern-query query.expand', 'quern-query GET']
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
    const run = collector.spans.filter(({ name }) => ['query.dispatch', 'query.run', 'query.expand', 'GET'].includes(name))
    expect(new Set(run.map(({ traceId }) => traceId)).size).toBe(1)
  })

  test('are given up where the collector is away or never answers, and no work suffers', { timeout: 120_000 }, async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void silent.close())
    for (const port of [1, (silent.address() as AddressInfo).port]) { // a TCP server has a port
      const { stand, ends } = await runAndEnd(`http://127.0.0.1:${port}`)
      expect(ends.map(({ code }) => code), complaintsOf(stand)).toEqual([0, 0, 0])
      for (const { ms } of ends) expect(ms).toBeLessThan(15_000)
      expect(complaintsOf(stand)).not.toContain('"level":"error"')
    }
  })
})
