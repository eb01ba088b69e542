import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { currentSpan, inDispatch, inSpan, isTracing, keepSpan, openTracing, placeOf, readTraceparent, traceparentOf } from '../../src/platform/tracing.ts'
import { openCollector } from '../support/otlpCollector.ts'

const lines: string[] = []
const log = openLogger('debug', 'test', { write: (line) => void lines.push(line) })

/** Sends spans to this address until the test ends, or `end` is called. */
async function traceTo(otlpEndpoint: string, otlpHeaders: readonly string[] = []): Promise<() => Promise<void>> {
  const end = await openTracing({ otlpEndpoint, otlpHeaders }, 'test', log)
  onTestFinished(end)
  return end
}

const plain = () => ({})

describe('tracing', () => {
  test('does nothing but the work without a collector', async () => {
    const end = await openTracing({ otlpEndpoint: undefined, otlpHeaders: [] }, 'test', log)
    const begin = (): never => {
      throw new Error('nobody wants to know')
    }
    expect(isTracing()).toBe(false)
    expect(await inSpan('a', begin, async (span) => [span, currentSpan()])).toEqual([undefined, undefined])
    expect(await inDispatch(newId(), 'a', begin, async () => 'done')).toBe('done')
    await end()
  })

  test('hands over spans with their names, facts, parents and failures at the end', async () => {
    const collector = await openCollector()
    const end = await traceTo(`${collector.url}/`, ['x-key=a%2Cb', 'other=c'])
    await inSpan('outer', () => ({ kind: 'server', facts: { a: 1, b: 'c', d: true } }), async (span) => {
      expect(currentSpan()).toBe(span)
      await inSpan('inner', plain, async (inner) => inner?.rename('renamed'))
      await expect(inSpan('failing', plain, () => Promise.reject(new Problem('target_failed', 'a secret')))).rejects.toThrow('a secret')
      const harmless = () => ({ isHarmless: () => true })
      await expect(inSpan('harmless', harmless, () => Promise.reject(new Error('b')))).rejects.toThrow('b')
    })
    await end()
    const [inner, failing, harmless, outer] = collector.spans
    expect(outer).toMatchObject({ name: 'outer', service: 'quern-test', parentSpanId: '', facts: { a: 1, b: 'c', d: true }, failed: false })
    expect(inner).toMatchObject({ name: 'renamed', traceId: outer?.traceId, parentSpanId: outer?.spanId })
    expect(failing).toMatchObject({ failed: true, facts: { 'error.type': 'target_failed' }, parentSpanId: outer?.spanId })
    expect(harmless).toMatchObject({ failed: false })
    expect(collector.text).not.toContain('a secret')
    expect(collector.headers[0]).toMatchObject({ 'x-key': 'a,b', other: 'c' })
  })

  test('hangs work below a dispatch whose place follows from its id, and links another trace with it', async () => {
    const collector = await openCollector()
    const end = await traceTo(collector.url)
    const [own, other] = [newId(), newId()]
    const ownPlace = placeOf(own)
    await inSpan('request', () => ({ parent: null, place: { traceId: ownPlace?.traceId ?? '' } }), async () => {
      await inDispatch(own, 'own', plain, async () => undefined)
      await inDispatch(other, 'other', plain, async () => undefined)
    })
    await inSpan('job', () => ({ parent: placeOf(other) ?? null }), async () => undefined)
    await end()
    const found = new Map(collector.spans.map((span) => [span.name, span]))
    const request = found.get('request')
    expect(found.get('own')).toMatchObject({ ...ownPlace, parentSpanId: request?.spanId, links: [] })
    expect(found.get('other')).toMatchObject({ ...placeOf(other), parentSpanId: '', links: [{ traceId: request?.traceId, spanId: request?.spanId }] })
    expect(request?.links).toMatchObject([placeOf(other)])
    expect(found.get('job')).toMatchObject({ traceId: placeOf(other)?.traceId, parentSpanId: placeOf(other)?.spanId })
  })

  test('keeps the span of work that is done later, by whomever', async () => {
    const collector = await openCollector()
    const end = await traceTo(collector.url)
    const kept = await inSpan('outer', plain, async () => keepSpan(() => currentSpan()?.place))
    expect(currentSpan()).toBeUndefined()
    const seen = kept()
    await end()
    expect(collector.spans).toMatchObject([{ name: 'outer', ...seen }])
    const plainly = (): number => 1
    expect(keepSpan(plainly)).toBe(plainly)
  })

  test('is not held up by a collector that is away, nor by one that never answers, and says so once', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void silent.close())
    for (const port of [1, (silent.address() as AddressInfo).port]) { // a TCP server has a port
      const end = await traceTo(`http://127.0.0.1:${port}`)
      for (let count = 0; count < 5_000; count += 1) await inSpan('a', plain, async () => undefined)
      const startedAt = performance.now()
      await end()
      expect(performance.now() - startedAt).toBeLessThan(5_000)
    }
    expect(lines.filter((line) => line.includes('OTEL_EXPORTER_OTLP_ENDPOINT')).length).toBeLessThan(3)
  })
})

describe('the place of a span', () => {
  test('follows from a UUID, and from nothing else', () => {
    expect(placeOf('3F0E5B5E-6a34-4c1e-9d4a-0b8a4a3a9a52')).toEqual({ traceId: '3f0e5b5e6a344c1e9d4a0b8a4a3a9a52', spanId: '9d4a0b8a4a3a9a52' })
    for (const text of ['', 'x', '00000000-0000-0000-0000-000000000000', '3f0e5b5e-6a34-4c1e-0000-000000000000']) expect(placeOf(text)).toBeUndefined()
  })

  test('is read from a traceparent and written as one', () => {
    const text = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const place = readTraceparent(text)
    expect(place).toEqual({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' })
    expect(place && traceparentOf(place)).toBe(text)
    expect(readTraceparent(`01${text.slice(2)}-more`)).toEqual(place)
    const wrong = ['', 'x', text.toUpperCase(), text.slice(1), `ff${text.slice(2)}`, text.replace(/4b.*36/, '0'.repeat(32)), text.replace('00f067aa0ba902b7', '0'.repeat(16)), `${text}x`]
    for (const other of wrong) expect([other, readTraceparent(other)]).toEqual([other, undefined])
  })
})
