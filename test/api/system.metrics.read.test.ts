import { describe, expect } from 'vitest'
import { runToEnd } from '../support/dispatched.ts'
import { test } from '../support/engine.ts'
import { limitedKey } from '../support/limitedKey.ts'
import type { RunningApi } from '../support/api.ts'

const id = 'system.metrics.read'

const readText = async (api: RunningApi): Promise<string> =>
  (await fetch(`${api.url}/metrics`, { headers: { authorization: `svc ${api.adminKey}` } })).text()

/** The value of the first series whose name and labels hold these texts. */
function valueOf(text: string, name: string, ...labels: string[]): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}{`) && labels.every((label) => candidate.includes(label)))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
}

describe(id, () => {
  test('answers the text format of Prometheus, each metric described once', async ({ api, sendAs }) => {
    const response = await sendAs(await limitedKey(api, 'ops:read'), id)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name)
    expect(new Set(types).size).toBe(types.length)
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of series) expect(line).toMatch(/^[a-z_]+(\{([a-z]+="[^"]*",?)+\})? -?[0-9.e+-]+$/)
    expect(new Set(series.map((line) => line.slice(0, line.lastIndexOf(' ')))).size).toBe(series.length)
    expect(text).toContain('quern_queries_stuck 0')
    expect(text).toContain('quern_database_up 1')
    expect(text).toContain('quern_redis_up 1')
  })

  test('counts requests, jobs, queues, pools, processes and looks into the cache, whichever process they belong to', async ({ api, call }) => {
    await runToEnd(call, 'range 7')
    await runToEnd(call, 'range 7')
    const text = await readText(api)
    expect(valueOf(text, 'quern_requests_total', 'operation="sirp.query.dispatchWait"', 'type="api"')).toBeGreaterThan(0)
    expect(valueOf(text, 'quern_request_seconds_count', 'operation="sirp.query.dispatchWait"')).toBeGreaterThan(0)
    expect(valueOf(text, 'quern_queue_jobs', 'queue="query"', 'state="waiting"')).toBe(0)
    expect(valueOf(text, 'quern_queue_oldest_wait_seconds', 'queue="query"')).toBe(0)
    expect(valueOf(text, 'quern_database_connections', 'state="open"', 'type="api"')).toBeGreaterThan(0)
    expect(valueOf(text, 'quern_processes', 'type="query"')).toBe(1)
    expect(valueOf(text, 'quern_demand_worker_seconds', 'type="query"')).toBe(0)
    await expect.poll(async () => valueOf(await readText(api), 'quern_jobs_total', 'job="query.run"', 'outcome="done"', 'type="query"'), { timeout: 15_000 }).toBeGreaterThan(0)
    const later = await readText(api)
    expect(valueOf(later, 'quern_job_seconds_count', 'job="query.run"')).toBeGreaterThan(0)
    expect(valueOf(later, 'quern_cache_looks_total', 'kind="stage"')).toBeGreaterThan(0)
  })

  test('counts what no route knows without a name for each', async ({ api }) => {
    for (const path of ['/a', '/b', '/c']) await fetch(`${api.url}${path}`)
    const text = await readText(api)
    expect(valueOf(text, 'quern_requests_total', 'operation="none"', 'status="404"')).toBeGreaterThanOrEqual(3)
    expect(text).not.toContain('/a')
  })

  test('needs a key with the scope ops:read', async ({ api, sendAs }) => {
    expect((await fetch(`${api.url}/metrics`)).status).toBe(401)
    expect((await sendAs(await limitedKey(api, 'queries:read'), id)).status).toBe(403)
  })
})
