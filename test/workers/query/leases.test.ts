import { describe, expect } from 'vitest'
import { claimQuery, giveBackQuery } from '../../../src/services/sirp/engine/claims.ts'
import { fanOut } from '../../../src/services/sirp/engine/fanOut.ts'
import type { House } from '../../../src/services/house.ts'
import { newId } from '../../../src/platform/ids.ts'
import { Leases, Stopped } from '../../../workers/query/leases.ts'
import { test } from '../../support/api.ts'
import { keepQuery } from '../../support/keptQueries.ts'

async function holdOne(house: House, leases: Leases) {
  const id = await keepQuery(house, { status: 'queued' })
  const claimed = await claimQuery(house, id)
  if (!claimed) throw new Error('a query that waits can be claimed')
  const lease = leases.hold({ queryId: id, fence: claimed.fence }, new AbortController().signal)
  const leaseUntil = async () => (await house.db.query.findUniqueOrThrow({ where: { id } })).leaseUntil
  return { id, claimed, lease, leaseUntil }
}

describe('the lease of a query', () => {
  test('is renewed as long as it is held', async ({ api: { house } }) => {
    const leases = new Leases(house)
    const { id, lease, leaseUntil } = await holdOne(house, leases)
    const first = await leaseUntil()
    await expect.poll(leaseUntil, { timeout: 10_000 }).not.toEqual(first)
    expect([lease.signal.aborted, await claimQuery(house, id)]).toEqual([false, null])
    lease.release()
    leases.close()
  })

  test.for([
    ['was given back', (house: House, owner: { id: string; fence: number }) => giveBackQuery(house, owner)],
    ['was handed to jobs', (house: House, owner: { id: string; fence: number }) =>
      fanOut(house, owner, { stage: 0, label: null, command: 'api', kind: 'expand', setId: newId(), queue: 'query', rows: 1, rowsPerUnit: 1, unitsAtOnce: 1, ownFence: null })],
  ] as const)('is not renewed when it %s, although its owner has not come to release it', async ([, letGo], { api: { house } }) => {
    const leases = new Leases(house)
    const { claimed, lease, leaseUntil } = await holdOne(house, leases)
    await letGo(house, claimed)
    await expect.poll(() => lease.signal.reason as unknown, { timeout: 10_000 }).toBeInstanceOf(Stopped)
    expect(await leaseUntil()).toBeNull()
    lease.release()
    leases.close()
  })
})
