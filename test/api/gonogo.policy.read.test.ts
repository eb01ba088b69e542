import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { badIds, createPolicy } from '../support/policies.ts'
import { expectProblem } from '../support/problems.ts'

describe('gonogo.policy.read', () => {
  test('answers the whole record with its version as ETag, however its id is spelled', async ({ api, sendAs }) => {
    const record = await createPolicy(api, 'bücher.example', { perSecond: 0, perMinute: '1000000000' })
    expect(record).toMatchObject({ domain: 'xn--bcher-kva.example', policy: { perSecond: 0, perMinute: 1_000_000_000 } })
    for (const id of [record.id, record.id.toUpperCase()]) {
      const response = await sendAs(api.adminKey, 'gonogo.policy.read', { params: { id } })
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"1"')
      expect(await response.json()).toEqual(record)
    }
  })

  test('answers not_found for an id that nothing has', async ({ api, sendAs }) => {
    const { detail } = await expectProblem(await sendAs(api.adminKey, 'gonogo.policy.read', { params: { id: unknownId } }), 'not_found')
    expect(detail).toContain(unknownId)
  })

  test.for(badIds)('refuses %j as an id', async (id, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, 'gonogo.policy.read', { params: { id } }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/id', in: 'path' }])
  })
})
