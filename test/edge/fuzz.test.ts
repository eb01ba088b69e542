import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Operation } from '../../src/contract/define.ts'
import { operationList } from '../../src/contract/index.ts'
import { test, type RunningApi } from '../support/api.ts'
import { samplePath } from '../support/table.ts'
import { Wire } from '../support/wire.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const nasty = fc.oneof(
  fc.constantFrom<Json>(
    null, true, false, 0, -0, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, '', ' ', '.', '..', '/', '\\', '%00', '%2f', "'; --", '${x}', '{{x}}', '\u007f', '\ufffe', '\u202e', '😀', 'ﷺ',
    'x'.repeat(1_001), 'é'.repeat(1_000), '😀'.repeat(1_000), '0', '00', '1e3', '-1', 'NaN', 'null', 'true', '1970-01-01T00:00:00Z', '2030-06-30T23:59:60Z', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z',
    '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', [], {}, [[]], [null], { toString: 'x' }, { length: -1 }, { 'a/b~c': [] }, '^(a+)+$', '********',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
)

/** The value with one of its parts put in another's place, left out, or added to. */
function mutate(value: Json, seed: number, replacement: Json): Json {
  if (typeof value !== 'object' || value === null || seed % 7 === 0) return replacement
  const rest = Math.floor(seed / 7)
  if (Array.isArray(value)) {
    if (value.length === 0 || rest % 5 === 0) return [...value, replacement]
    const at = rest % value.length
    return value.map((item, index) => (index === at ? mutate(item, Math.floor(rest / value.length), replacement) : item))
  }
  const keys = Object.keys(value)
  const key = keys[rest % Math.max(keys.length, 1)]
  if (key === undefined || rest % 5 === 0) return { ...value, extra: replacement }
  if (rest % 5 === 1) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  return { ...value, [key]: mutate(value[key] ?? null, Math.floor(rest / keys.length), replacement) }
}

interface Sent {
  readonly path: string
  readonly body?: Json
}

async function statusOf(api: RunningApi, { method }: Operation, { path, body }: Sent): Promise<{ status: number; text: string }> {
  // No worker runs here, and nobody waits for one.
  const headers = { 'Authorization': `svc ${api.adminKey}`, 'Prefer': 'wait=0', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  const response = await fetch(api.url + path, { method, headers, redirect: 'manual', signal: AbortSignal.timeout(5_000), ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return { status: response.status, text: await response.text() }
}

/** Sends what fast-check comes up with; every answer comes in time and is none of our own failures. */
async function expectAnswers(api: RunningApi, operation: Operation, sent: fc.Arbitrary<Sent>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(sent, async (one) => {
      const { status, text } = await statusOf(api, operation, one)
      if (status === 500) expect.fail(`500: ${text}\n${api.logLines.filter((line) => line.includes('"level":"error"')).at(-1)?.slice(0, 1_500)}`)
    }),
    { numRuns },
  )
}

const sendable = operationList.filter(([, { form }]) => !form)

describe('whatever is sent', () => {
  test.for(sendable.filter(([, { example }]) => example !== undefined))('%s answers a body that is nearly right', async ([, operation], { api }) => {
    const sent = fc.tuple(fc.nat(), nasty).map(([seed, replacement]) => ({ path: samplePath(operation), body: mutate(operation.example as Json, seed, replacement) }))
    await expectAnswers(api, operation, sent, 25)
  })

  test.for(sendable.filter(([, { params }]) => params !== undefined))('%s answers any path', async ([, operation], { api }) => {
    const step = fc.oneof(fc.constantFrom('%2e', '%2e%2e', '%2f', '%5c', '%0a', '%7f', '%c2%a0', '%f0%9f%98%80', '~', '-', '_', '%25', '%22', '+', '@', ':', ';', '=', '0', 'x'.repeat(1_001)), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())))
    const sent = fc.array(step, { minLength: 4, maxLength: 4 }).map((steps) => {
      let index = 0
      return { path: operation.path.replace(/:[A-Za-z]+/g, () => steps[index++] ?? 'x'), ...(operation.example === undefined ? {} : { body: operation.example as Json }) }
    })
    await expectAnswers(api, operation, sent, 15)
  })

  test.for(sendable.filter(([, { query }]) => query !== undefined))('%s answers any query', async ([, operation], { api }) => {
    const names = Object.keys(operation.query?.properties ?? {})
    const pair = fc.tuple(fc.constantFrom(...names), nasty).map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value.toWellFormed().slice(0, 2_000) : JSON.stringify(value).slice(0, 500).toWellFormed())}`)
    const sent = fc.array(pair, { maxLength: 3 }).map((pairs) => ({ path: `${samplePath(operation)}?${pairs.join('&')}`, ...(operation.example === undefined ? {} : { body: operation.example as Json }) }))
    await expectAnswers(api, operation, sent, 15)
  })

  test('bytes at random are answered or cut off, and the process stays', async ({ api }) => {
    const start = fc.constantFrom('', 'GET ', 'POST /v1/gonogo/policies HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n', `POST /v1/gonogo/policies HTTP/1.1\r\nHost: x\r\nAuthorization: svc ${api.adminKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), async (text, bytes) => {
        const wire = await Wire.open(api.url)
        wire.write(Buffer.concat([Buffer.from(text), bytes]))
        wire.socket.end()
        await wire.closed
        expect(wire.rest).toMatch(/^(HTTP\/1\.1 [234]\d\d |$)/)
      }),
      { numRuns: 200 },
    )
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200)
  })
})
