import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { badIds, createPolicy } from '../support/policies.ts'
import { expectProblem } from '../support/problems.ts'

const operation = 'gonogo.policy.delete'

describe(operation, () => {
  test('answers 204, after which the record is gone and its domain free', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'gone.example')
    const response = await sendAs(api.adminKey, operation, { params: { id } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await expectProblem(await sendAs(api.adminKey, 'gonogo.policy.read', { params: { id } }), 'not_found')
    await expectProblem(await sendAs(api.adminKey, operation, { params: { id } }), 'not_found')
    expect((await createPolicy(api, 'gone.example')).id).not.toBe(id)
  })

  test('answers not_found for an id that nothing has, also to thirty requests at once', async ({ api, sendAs }) => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => sendAs(api.adminKey, operation, { params: { id: unknownId } })))
    for (const response of responses) await expectProblem(response, 'not_found')
  })

  test.for(badIds)('refuses %j as an id', async (id, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, operation, { params: { id } }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/id', in: 'path' }])
  })

  test('deletes only the version that If-Match names', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'kept.example')
    const remove = (tag: string) => sendAs(api.adminKey, operation, { params: { id }, headers: { 'If-Match': tag } })
    for (const tag of ['"2"', 'W/"1"', '1']) await expectProblem(await remove(tag), 'precondition_failed')
    expect((await remove('"1"')).status).toBe(204)
  })

  test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
    const { id } = await createPolicy(api, 'contended.example')
    const remove = async () => (await sendAs(api.adminKey, operation, { params: { id } })).status
    const statuses = await Promise.all(Array.from({ length: 10 }, remove))
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
  })
})
