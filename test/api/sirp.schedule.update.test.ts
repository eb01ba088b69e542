import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badLabels } from '../support/labels.ts'
import { describeScheduleUpdate } from '../support/scheduleUpdate.ts'

const id = 'sirp.schedule.update'

describeScheduleUpdate(id)

describe(`${id}, by queryId`, () => {
  test('needs a queryId that can be an id', async ({ api, sendAs }) => {
    for (const queryId of [undefined, ...badLabels(250)]) {
      const response = await sendAs(api.adminKey, id, { body: { query: 'range 3', queryId } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: '/queryId' }] })
    }
  })
})
