import { describe, expect } from 'vitest'
import { serviceNames } from '../../src/contract/services.ts'
import { test } from '../support/engine.ts'
import { describeRestart, hostsOf } from '../support/serviceRestart.ts'

const id = 'sirp.service.restart'

describeRestart(id, 'workers', { params: { type: 'workers' } })

describe(`${id} of any service`, () => {
  test('leaves a cluster that does its work', { timeout: 60_000 }, async ({ api, call }) => {
    for (const type of serviceNames) {
      const hosts = await hostsOf(api, type)
      expect(await call(id, { params: { type }, headers: { Prefer: 'wait=20' } })).toEqual({ service: type, restarting: 0, restarted: hosts })
      expect(await call('sirp.query.dispatchWait', { body: { query: `range 2 || addcolumn service ${type}` } })).toMatchObject({ status: 'completed', total: 2 })
      expect((await call('gonogo.policy.check', { params: { domain: 'a.example' }, body: {} })).allowed).toBe(true)
    }
    expect(api.workerLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  test('refuses a service that there is not', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { type: 'nope' } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/type', in: 'path' }] })
  })
})
