import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathLabels, brief } from '../support/labels.ts'
import { sendPath } from '../support/rawPath.ts'
import { createSchedule } from '../support/schedules.ts'
import { describeScheduleUpdate } from '../support/scheduleUpdate.ts'

const id = 'sirp.schedule.updateById'

describeScheduleUpdate(id)

describe(`${id}, by path`, () => {
  test('takes a queryId that is the id of the path, and no other', async ({ api, call }) => {
    const { id: schedule } = await createSchedule(api, { queryId: 'mine' })
    expect(await call(id, { params: { id: schedule }, body: { query: 'range 3', queryId: schedule } })).toMatchObject({ id: schedule, version: 2 })
    await expect(call(id, { params: { id: schedule }, body: { query: 'range 3', queryId: 'theirs' } })).rejects.toMatchObject({ status: 400, problem: { errors: [{ path: '/queryId' }] } })
  })

  test.for(badPathLabels.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'PUT', `/v1/sirp/schedules/${name}`, { query: 'range 3' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: '/id', in: 'path' }] })
  })
})
