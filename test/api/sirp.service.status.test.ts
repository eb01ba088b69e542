import { hostname } from 'node:os'
import { describe, expect } from 'vitest'
import { noteError } from '../../src/services/workers/lastErrors.ts'
import { startQueryWorker, test } from '../support/engine.ts'

const id = 'sirp.service.status'

describe(id, () => {
  test('shows the processes and queues of a service, and what is missing', async ({ api, call }) => {
    const status = (service: 'sirp' | 'krull' | 'mentos' | 'secrets') => call(id, { params: { service } })
    await expect.poll(async () => (await status('sirp')).processes.length, { timeout: 10_000 }).toBe(2)
    const sirp = await status('sirp')
    expect(sirp).toMatchObject({ service: 'sirp', status: 'up', queues: [{ queue: 'query', waiting: 0, active: 0, paused: false }] })
    for (const process of sirp.processes) {
      const { pid } = globalThis.process
      const { startedAt, heartbeatAt } = process
      expect(process).toEqual({ id: expect.stringMatching(/^(api|query)-/) as string, host: hostname(), pid, version: '0.1.0', startedAt, heartbeatAt })
    }
    expect(await status('krull')).toMatchObject({ status: 'down', processes: [] })
    expect(await status('mentos')).toMatchObject({ status: 'degraded', processes: [{ pid: process.pid }] })
    expect(await status('secrets')).toMatchObject({ status: 'up', queues: [] })

    const more = await startQueryWorker(api.settings)
    await expect.poll(async () => (await status('sirp')).processes.length, { timeout: 10_000 }).toBe(3)
    await more.close()
    expect((await status('sirp')).processes).toHaveLength(2)
  })

  test('shows the last surprise, without the passwords of addresses', async ({ api, call }) => {
    noteError(api.house, 'almanac', 'internal', 'The job failed: redis://me:hunter2@there is away')
    const { lastError } = await call(id, { params: { service: 'almanac' } })
    expect(lastError).toEqual({ code: 'internal', detail: 'The job failed: redis://***@there is away', at: expect.any(String) as string })
  })

  test('refuses a service that there is not', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { service: 'nope' } })
    expect(response.status).toBe(400)
  })
})
