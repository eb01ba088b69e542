import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, onTestFinished } from 'vitest'
import { loadCommand } from '../../ops/load/command.ts'
import { runLoad } from '../../ops/load/load.ts'
import { OptionsError, readOptions, type LoadOptions } from '../../ops/load/options.ts'
import { drawPlot } from '../../ops/load/plot.ts'
import { printReport } from '../../ops/load/printReport.ts'
import type { Report } from '../../ops/load/report.ts'
import { startEngine, test } from '../support/engine.ts'
import { makeTestDir } from '../support/testDir.ts'

const never = new AbortController().signal

function makeOptions(url: string, key: string, ...words: string[]): LoadOptions {
  const options = readOptions(words, { url, key, scheme: 'svc' })
  if (!options) throw new Error('help was asked for')
  return options
}

/** A screen that keeps what is written to it. */
function openScreen(isTTY: boolean): { isTTY: boolean; text: string; write(text: string): void } {
  return {
    isTTY,
    text: '',
    write(text) {
      this.text += text
    },
  }
}

describe('npm run load', () => {
  test('sends at the rate, loses nothing, and tells what it found', { timeout: 60_000 }, async ({ api }) => {
    const screen = openScreen(false)
    const options = makeOptions(api.url, api.adminKey, '--rate', '30', '--seconds', '3', '--ramp', '1', '--verify')
    const report = await runLoad(options, screen, never)
    expect(report).toMatchObject({ arrived: 75, sent: 75, notSent: 0, accepted: 75, turnedAway: 0, failed: 0, endedEarly: false })
    expect(report.verified).toEqual({ asked: 75, states: { completed: 75 }, pending: 0, lost: 0 })
    expect(report.timeline.map(({ arrived }) => arrived)).toEqual([15, 30, 30])
    expect(report.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(75)
    expect(report.latencyMs.p50).toBeGreaterThan(0)
    expect(report.latencyMs.p50).toBeLessThanOrEqual(report.latencyMs.max)
    expect(screen.text).toMatch(/^[█░]+ 1\/3 s: accepted \d+, under way \d+/m)
    expect(printReport(report)).toMatch(/\| accepted \| 75 \| 100 % \|[^]*█[^]*75 completed, 0 not ended yet, 0 lost\./)
  })

  test('waits for the end of each query where it is asked to, and shows a bar on a terminal', { timeout: 60_000 }, async ({ api }) => {
    const screen = openScreen(true)
    const options = makeOptions(api.url, api.adminKey, '--rate', '5', '--seconds', '1', '--wait', '--query', 'range 5 || stats count')
    const report = await runLoad(options, screen, never)
    expect(report).toMatchObject({ accepted: 5, failed: 0, operation: 'POST /v1/sirp/query/runner/dispatch/wait' })
    expect(report.outcomes).toEqual([{ kind: 'accepted', label: '200', count: 5, retryAfter: null }])
    expect(screen.text).toContain('\r\x1b[K')
  })

  test('counts refusals apart, with what they say about coming again', { timeout: 60_000 }, async () => {
    const crowded = await startEngine({ MAX_QUEUED_PER_KEY: '1', QUERY_CONCURRENCY: '1' })
    onTestFinished(() => crowded.close())
    const report = await runLoad(makeOptions(crowded.url, crowded.adminKey, '--rate', '200', '--seconds', '1'), openScreen(false), never)
    expect(report.failed).toBe(0)
    expect(report.turnedAway).toBeGreaterThan(0)
    expect(report.accepted + report.turnedAway).toBe(200)
    const refusals = report.outcomes.filter(({ kind }) => kind === 'turnedAway')
    expect(refusals.map(({ label }) => label)).toEqual([expect.stringMatching(/^429 /)])
    expect(refusals[0]?.retryAfter?.answers).toBe(refusals[0]?.count)
    expect(printReport(report)).toMatch(/\| 429 \w+ \| turned away \| \d+ \| [\d.]+ % \| \d+ s \|/)
  })

  test('measures from when a request was due, so that a server that stops for a while cannot hide it', { timeout: 60_000 }, async () => {
    const options = makeOptions(await openStalling(1_000), 'k', '--rate', '50', '--seconds', '2', '--concurrency', '1')
    const report = await runLoad(options, openScreen(false), never)
    // One connection saw one slow answer; those who came meanwhile waited too.
    expect(report.latencyMs.p90).toBeGreaterThan(500)
    expect(report.accepted + report.notSent).toBe(100)
  })

  test('ends early with a report, and says so', { timeout: 60_000 }, async ({ api }) => {
    const stop = new AbortController()
    const screen = { write: () => stop.abort() }
    const report = await runLoad(makeOptions(api.url, api.adminKey, '--rate', '20', '--seconds', '60', '--verify'), screen, stop.signal)
    expect(report).toMatchObject({ endedEarly: true, notSent: 0, failed: 0, verified: null })
    expect(report.tookS).toBeLessThan(30)
  })

  test('draws a plot that is well-formed, and prints JSON', { timeout: 60_000 }, async ({ api }) => {
    const dir = await makeTestDir()
    const out = join(dir, 'load.svg')
    const [output, screen] = [openScreen(false), openScreen(false)]
    const env = { PORT: new URL(api.url).port, QUERN_API_KEY: api.adminKey }
    const words = ['--rate', '10', '--seconds', '2', '--json', '--out', out]
    expect(await loadCommand({ words, env, output, screen, stop: never })).toBe(0)
    expect(screen.text).toContain(`The plot is in ${out}.`)
    const report = JSON.parse(output.text) as Report // what the command prints
    expect(report.accepted).toBe(20)
    const svg = await readFile(out, 'utf8')
    expect(svg).toBe(drawPlot(report))
    expect(new XMLParser({ ignoreAttributes: false }).parse(svg, true)).toHaveProperty('svg')
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
  })

  test.for<[words: string[], problem: string]>([
    [['--rate', '0'], '--rate must be a number from 1 to 5,000'],
    [['--rate', '5001'], '--rate must be a number from 1 to 5,000'],
    [['--seconds', '3601'], '--seconds must be a number from 1 to 3,600'],
    [['--seconds', 'ten'], '--seconds must be a number'],
    [['--ramp', '31'], '--ramp must not be longer than --seconds'],
    [['--rate', '5000', '--seconds', '3600'], 'must not exceed 2,000,000 requests'],
    [['--concurrency', '1.5'], '--concurrency must be a number from 1 to 10,000'],
    [['--url', 'ftp://127.0.0.1'], '--url must be an address'],
    [['--url', 'https://quern.example'], 'add --yes-remote'],
    [['--url', 'http://127.0.0.1.example'], 'add --yes-remote'],
    [['--key', ''], 'An API key is missing'],
    [['--query', ' '], '--query must be the text of a query'],
    [['--out', 'plot.png'], '--out must name a file that ends with .svg'],
    [['--fast'], "Unknown option '--fast'"],
    [['fast'], '--help'],
  ])('refuses %j', ([words, problem]) => {
    const read = () => makeOptions('http://127.0.0.1:1968', 'k', ...words)
    expect(read).toThrow(OptionsError)
    expect(read).toThrow(problem)
  })

  test('lists every problem at once', () => {
    const read = () => makeOptions('http://127.0.0.1:1968', '', '--rate', '5e9', '--seconds', '0')
    expect(read).toThrow(/--rate must[^]*--seconds must[^]*API key/)
  })

  test('says before the load what would keep it from working', async ({ api }) => {
    const load = (...words: string[]) => runLoad(makeOptions(api.url, api.adminKey, ...words), openScreen(false), never)
    await expect(load('--query', 'rnage 3')).rejects.toThrow(/--query cannot be run/)
    await expect(load('--key', 'svc_wrong')).rejects.toThrow(/refuses the key \(401\)/)
    await expect(load('--url', 'http://127.0.0.1:1')).rejects.toThrow(/does not answer: .*ECONNREFUSED/)
  })
})

/** A server that answers dispatches at once, except that one of them keeps all others waiting. */
async function openStalling(stallMs: number): Promise<string> {
  let asked = 0
  const server = createServer((request, response) => {
    const answer = (): unknown => response.end(JSON.stringify({ id: `q${asked}`, status: 'queued' }))
    const stalls = request.url?.endsWith('/dispatch') === true && ++asked === 10
    if (stalls) setTimeout(answer, stallMs)
    else answer()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
