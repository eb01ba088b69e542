import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { badPathLabels, brief } from '../support/labels.ts'
import { sendPath } from '../support/rawPath.ts'
import { createSchedule } from '../support/schedules.ts'

const id = 'sirp.schedule.read'

describe(id, () => {
  test('answers the whole record with its version as ETag', async ({ api, sendAs }) => {
    const record = await createSchedule(api, { queryId: 'a/b %2f 名', metadata: { z: 1, a: 2 }, sirpURL: 'https://a.example/' })
    const response = await sendAs(api.adminKey, id, { params: { id: record.id } })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual(record)
  })

  test('shows what the runs have left', async ({ api, call }) => {
    const { id: ran } = await createSchedule(api)
    const at = new Date('2030-01-01T00:00:00.000Z')
    await api.house.db.schedule.update({ where: { id: ran }, data: { lastRunAt: at, lastQueryId: unknownId, lastStatus: 'completed', fired: 3, skipped: 2, failed: 1 } })
    expect(await call(id, { params: { id: ran } })).toMatchObject({ lastRunAt: at.toISOString(), lastQueryId: unknownId, lastStatus: 'completed', runs: { fired: 3, skipped: 2, failed: 1 } })
  })

  test.for(['nobody', unknownId, '%', '😀'.repeat(250)])('answers not_found for an id that nothing has', async (unknown, { call }) => {
    await expect(call(id, { params: { id: unknown } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test.for([...badPathLabels, 'a'.repeat(251)].map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'GET', `/v1/sirp/schedules/${name}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/id', in: 'path' }] })
  })
})
