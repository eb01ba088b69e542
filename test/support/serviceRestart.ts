import { describe, expect } from 'vitest'
import type { OperationId } from '../../src/contract/index.ts'
import { hosting, type ServiceName } from '../../src/contract/services.ts'
import { liveProcesses } from '../../src/services/workers/processes.ts'
import type { RunningApi } from './api.ts'
import { test } from './engine.ts'
import { limitedKey } from './limitedKey.ts'

/** The ids of the live processes that host a service. */
export async function hostsOf({ house }: RunningApi, service: ServiceName): Promise<string[]> {
  const processes = await liveProcesses(house)
  return processes.filter(({ type }) => hosting[service].hosts.includes(type)).map(({ id }) => id)
}

/** What holds for every operation that restarts a service. */
export function describeRestart(id: OperationId, service: ServiceName, input: { params?: Record<string, string> } = {}): void {
  describe(id, () => {
    test(`answers 202 at once, and 200 with Prefer: wait when every process that hosts ${service} is back`, async ({ api, sendAs }) => {
      await expect.poll(async () => (await liveProcesses(api.house)).length, { timeout: 10_000 }).toBe(2)
      const hosts = await hostsOf(api, service)
      const first = await sendAs(api.adminKey, id, input)
      expect(first.status).toBe(202)
      expect(await first.json()).toEqual({ service, restarting: hosts.length, restarted: [] })
      const waited = await sendAs(api.adminKey, id, { ...input, headers: { Prefer: 'wait=18' } })
      expect(waited.status).toBe(200)
      const { restarted, ...rest } = (await waited.json()) as { restarted: string[] }
      expect(rest).toEqual({ service, restarting: 0 })
      expect(restarted.toSorted()).toEqual(hosts.toSorted())
    })

    test('needs the scope ops:write', async ({ api, sendAs }) => {
      expect((await sendAs(await limitedKey(api, 'ops:read'), id, input)).status).toBe(403)
    })
  })
}
