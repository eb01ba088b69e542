import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { describeScheduleCreation } from '../support/scheduleCreation.ts'

const id = 'sirp.schedule.create'

describeScheduleCreation(id)

describe(`${id}, beside the variants`, () => {
  test('takes any interval that a number of minutes can be', async ({ call }) => {
    const record = await call(id, { body: { query: 'range 3', minutes: 2_147_483_647 } })
    expect(record.nextRunAt).toBe(new Date(Date.parse(record.createdAt) + 2_147_483_647 * 60_000).toISOString())
  })

  test.for(['sirpURL', 'queryId'])('does not know %s', async (field, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', [field]: 'http://a.example' } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: `/${field}` }] })
  })
})
