import { describe, expect, test } from 'vitest'
import { createClient, send, type Call } from '../../../src/client/index.ts'
import { pause } from '../../../src/platform/clock.ts'
import { liveProcesses } from '../../../src/services/workers/processes.ts'
import { answerJson } from '../../support/answering.ts'
import { startApi } from '../../support/api.ts'
import { startEngine, startQueryWorker } from '../../support/engine.ts'
import { openTarget as openServer } from '../../support/httpTarget.ts'
import { openTarget } from '../../support/target.ts'

interface Load {
  readonly accepted: string[]
  readonly refused: string[]
}

/** Dispatches queries by turns to these addresses until it is told to stop, and notes what was accepted and what was not. */
async function dispatchUntil(urls: readonly string[], apiKey: string, query: (n: number) => string, stop: AbortSignal): Promise<Load> {
  const load: Load = { accepted: [], refused: [] }
  for (let n = 0; !stop.aborted; n += 1) {
    const response = await send({ baseUrl: urls[n % urls.length] ?? '', apiKey }, 'sirp.query.dispatch', { body: { query: query(n) } })
    if (response.status === 202) load.accepted.push(((await response.json()) as { id: string }).id)
    else load.refused.push(`${response.status} ${response.headers.get('retry-after')}`)
    await pause(20, stop)
  }
  return load
}

const endOf = async (call: Call, id: string): Promise<string> => {
  await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 40_000 }).not.toMatch(/queued|running/)
  const { total } = await call('sirp.query.results', { params: { id } })
  return `${(await call('sirp.query.status', { params: { id } })).status} ${total}`
}

describe('restarts under load', () => {
  test('lose nothing, double nothing, and refuse with 503 and Retry-After at most', { timeout: 120_000 }, async () => {
    await using target = await openTarget(({ url }) => ({ body: { path: url } }))
    const engine = await startEngine({ QUERY_CONCURRENCY: '8' })
    const other = await startApi(engine.settings)
    const worker = await startQueryWorker(engine.settings)
    const call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const stop = new AbortController()
    const loading = dispatchUntil([engine.url, other.url], engine.adminKey, (n) => `range 3 || api get ${target.url}/${n}/$n$`, stop.signal)

    for (const type of ['sirp', 'workers', 'gonogo', 'jobs'] as const) {
      const { restarted, restarting } = await call('sirp.service.restart', { params: { type }, headers: { Prefer: 'wait=30' } })
      expect([type, restarting, restarted.length]).toEqual([type, 0, type === 'workers' ? 2 : 4])
    }
    stop.abort()
    const { accepted, refused } = await loading
    expect(accepted.length).toBeGreaterThan(20)
    expect(refused.filter((answer) => !/^503 [1-9]/.test(answer))).toEqual([])
    const ends = await Promise.all(accepted.map((id) => endOf(call, id)))
    expect(new Set(ends)).toEqual(new Set(['completed 3']))
    expect(target.hits).toHaveLength(accepted.length * 3)

    const lines = [...engine.workerLines, ...worker.lines].join('\n')
    expect(lines).not.toContain('"level":"error"')
    await worker.close()
    await other.close()
    await engine.close()
  })

  test('wait for the jobs that run, and answer whoever waits for a query', { timeout: 120_000 }, async () => {
    let answer = (): void => undefined
    const site = await openServer((_, response) => void (answer = () => answerJson(response, { late: true })))
    const engine = await startEngine()
    const call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const isRestarting = async () => (await liveProcesses(engine.house)).find(({ type }) => type === 'query')?.restarting
    const waited = call('sirp.query.dispatchWait', { body: { query: `range 1 || api get ${site.origin}/slow` } })
    await expect.poll(() => site.seen.length, { timeout: 10_000 }).toBe(1)

    const restarted = call('sirp.service.restartAll', { headers: { Prefer: 'wait=30' } })
    await expect.poll(isRestarting, { timeout: 10_000 }).toBe(true)
    const { id: behind } = await call('sirp.query.dispatch', { body: { query: 'range 4' } })
    expect(await call('sirp.query.status', { params: { id: behind } })).toMatchObject({ status: 'queued' })
    answer()
    expect(await waited).toMatchObject({ status: 'completed', total: 1 })
    expect(await restarted).toMatchObject({ restarting: 0 })
    expect(await endOf(call, behind)).toBe('completed 4')
    expect(site.seen).toHaveLength(1)
    expect(await isRestarting()).toBe(false)
    await engine.close()
    await site.close()
  })
})
