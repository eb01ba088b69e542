import { describe, expect, onTestFinished } from 'vitest'
import { createClient, send } from '../../../src/client/index.ts'
import { openLogger } from '../../../src/platform/logger.ts'
import { openTracing, placeOf } from '../../../src/platform/tracing.ts'
import { startBrowserEngine, test } from '../../support/browserEngine.ts'
import { openCollector, type CollectedSpan } from '../../support/otlpCollector.ts'

const secret = 'a-secret-in-the-address'

/** An API, a query worker and a browser worker whose spans go to a collector. */
async function startTraced() {
  const collector = await openCollector()
  onTestFinished(await openTracing({ otlpEndpoint: collector.url, otlpHeaders: [] }, 'test', openLogger('silent', 'test')))
  const engine = await startBrowserEngine()
  onTestFinished(() => engine.close())
  const to = { baseUrl: engine.url, apiKey: engine.adminKey }
  const named = async (name: string, traceId?: string): Promise<CollectedSpan> => {
    const find = () => collector.spans.find((span) => span.name === name && (traceId === undefined || span.traceId === traceId))
    await expect.poll(find, { timeout: 10_000, message: `a span ${name} of ${traceId ?? 'any trace'}` }).toBeDefined()
    return find() as CollectedSpan // it was just found
  }
  /** The spans of the jobs of one kind; a stage may have several. */
  const jobsOf = (name: string, traceId: string): string[] => collector.spans.filter((span) => span.name === name && span.traceId === traceId).map(({ spanId }) => spanId)
  return { collector, engine, to, call: createClient(to), named, jobsOf }
}

describe('the trace of a query', () => {
  test('reaches from the request through its jobs to requests outside and pages', { timeout: 120_000 }, async ({ site }) => {
    const { collector, engine, call, named, jobsOf } = await startTraced()
    const { host, hostname } = new URL(site.origin)
    const query = `range 2 || api get http://${host}/echo?key=${secret}&n=$n$ || open http://${host}/?key=${secret}`
    const { id } = await call('sirp.query.dispatchWait', { body: { query } })
    const { traceId, spanId } = placeOf(id) ?? { traceId: '', spanId: '' }

    const request = await named('POST /v1/sirp/query/runner/dispatch/wait', traceId)
    expect(request).toMatchObject({ parentSpanId: '', facts: { 'http.response.status_code': 200, 'quern.operation': 'sirp.query.dispatchWait' } })
    expect(await named('query.dispatch', traceId)).toMatchObject({ spanId, parentSpanId: request.spanId, facts: { 'quern.query_id': id, 'quern.stages': 3 } })
    for (const name of ['query.run', 'query.expand', 'browser.expand']) {
      expect(await named(name, traceId)).toMatchObject({ parentSpanId: spanId, failed: false, facts: { 'quern.query_id': id, 'messaging.system': 'bullmq' } })
    }
    expect((await named('stage 0', traceId)).facts).toMatchObject({ 'quern.commands': 'range' })
    const outgoing = await named('GET', traceId)
    // The job that makes the units runs the first of them.
    await expect.poll(() => [...jobsOf('query.expand', traceId), ...jobsOf('query.run', traceId)]).toContain(outgoing.parentSpanId)
    expect(outgoing).toMatchObject({ facts: { 'server.address': hostname, 'http.response.status_code': 200 } })
    const page = await named('page', traceId)
    await expect.poll(() => jobsOf('browser.expand', traceId)).toContain(page.parentSpanId)
    expect(page).toMatchObject({ facts: { 'server.address': hostname, 'http.response.status_code': 200 } })
    expect(collector.text).not.toContain(secret)
    expect(engine.logLines.some((line) => line.includes(`"traceId":"${traceId}"`))).toBe(true)
  })

  test('is linked with that of a caller who sent a traceparent', { timeout: 120_000 }, async () => {
    const { to, named } = await startTraced()
    const [theirs, theirSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const headers = { traceparent: `00-${theirs}-${theirSpan}-01`, Prefer: 'wait=30' }
    const response = await send(to, 'sirp.query.dispatch', { body: { query: 'range 1' }, headers })
    const { id } = (await response.json()) as { id: string } // of a query that was dispatched
    const request = await named('POST /v1/sirp/query/runner/dispatch', theirs)
    expect(request).toMatchObject({ parentSpanId: theirSpan, links: [placeOf(id)] })
    expect(await named('query.dispatch', placeOf(id)?.traceId)).toMatchObject({ parentSpanId: '', links: [{ traceId: theirs, spanId: request.spanId }] })
  })

  test('tells what failed, and of a browser operation as well', { timeout: 120_000 }, async ({ site }) => {
    const { collector, to, call, named } = await startTraced()
    expect(await call('krull.page.evaluate', { body: { url: `${site.origin}/`, expression: '() => 1' } })).toMatchObject({ result: 1 })
    const job = await named('browser.run')
    expect(await named('browser.dispatch', job.traceId)).toMatchObject({ spanId: job.parentSpanId })
    expect(await named('page', job.traceId)).toMatchObject({ parentSpanId: job.spanId })
    expect((await named('POST /v1/krull/page/evaluate', job.traceId)).facts).toMatchObject({ 'http.response.status_code': 200 })

    const refused = await send(to, 'sirp.query.dispatchWait', { body: { query: 'thaw missing.csv' } })
    expect(refused.status).toBe(200)
    await expect.poll(() => collector.spans.find((span) => span.name === 'stage 0' && span.failed)?.facts['error.type'], { timeout: 10_000 }).toBe('not_found')
  })
})
