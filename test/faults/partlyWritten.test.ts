import { describe, expect, test } from 'vitest'
import { answerJson } from '../support/answering.ts'
import { openTarget } from '../support/httpTarget.ts'
import { complaintsOf, openStand } from './harness/stand.ts'

/** For a process alone these make units of 300 rows, which are written in parts. */
const rows = 1_200
const held = '/299'

describe('kill -9 of a worker that has written a part of a unit', () => {
  test('has the unit run anew, and doubles neither rows nor records nor counts', { timeout: 120_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 1 })
    let isHeld = true
    const target = await openTarget((request, response) => {
      if (!isHeld || request.url !== held) answerJson(response, { path: request.url })
    })
    const { id } = await stand.call('sirp.query.dispatch', { body: { query: `range ${rows} || api get ${target.origin}/$n$` } })
    const params = { id, stage: '1' }
    const recorded = async (): Promise<number> => (await stand.call('sirp.stage.commands', { params, query: { limit: 1000 } })).items.filter(({ index }) => index < 299).length
    await expect.poll(recorded, { timeout: 20_000 }).toBeGreaterThanOrEqual(256)
    const [worker] = stand.workers
    await worker?.kill()
    isHeld = false
    await worker?.start()
    await expect.poll(async () => (await stand.call('sirp.query.status', { params: { id } })).status, { timeout: 60_000, interval: 200 }).toBe('completed')

    const found: unknown[] = []
    for (let offset = 0; offset < rows; offset += 1_000) {
      found.push(...(await stand.call('sirp.query.results', { params: { id }, query: { offset, limit: 1_000 } })).results.map(({ content }) => content))
    }
    expect(found, complaintsOf(stand)).toEqual(Array.from({ length: rows }, (_, n) => ({ path: `/${n}` })))
    expect(await stand.call('sirp.stage.read', { params })).toMatchObject({ rowsIn: rows, rowsOut: rows, commands: { total: rows, completed: rows, failed: 0, skipped: 0 } })
    expect((await stand.call('sirp.stage.commands', { params, query: { limit: 1 } })).total).toBe(rows)
    await target.close()
  })
})
