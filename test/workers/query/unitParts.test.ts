import { describe, expect } from 'vitest'
import { readRecords } from '../../../src/services/sirp/engine/commandRecords.ts'
import { answerJson } from '../../support/answering.ts'
import { test } from '../../support/engine.ts'
import { openTarget } from '../../support/httpTarget.ts'

/** Rows that make units of 300 for a process alone, so that each is written in parts. */
const rows = 1_200
/** The last row of the first unit. */
const lastOfUnit = 299

/** A site that holds one row until it is told how to answer it. */
async function openHolding(row: number) {
  let told: (status: number) => void = () => undefined
  const status = new Promise<number>((tell) => (told = tell))
  const server = await openTarget((request, response) => {
    if (request.url !== `/${row}`) return answerJson(response, { path: request.url })
    void status.then((code) => answerJson(response, { path: request.url }, code))
  })
  return { ...server, tell: (code: number) => told(code), [Symbol.asyncDispose]: () => server.close() }
}

describe('a unit of many rows', () => {
  test('is written while some of its rows still run, and counted when it ends', { timeout: 30_000 }, async ({ call }) => {
    await using site = await openHolding(lastOfUnit)
    const { id } = await call('sirp.query.dispatch', { body: { query: `range ${rows} || api get ${site.origin}/$n$` } })
    const params = { id, stage: '1' }
    const recorded = async (): Promise<number> => (await call('sirp.stage.commands', { params, query: { limit: 1000 } })).items.filter(({ index }) => index < lastOfUnit).length
    await expect.poll(recorded, { timeout: 10_000 }).toBeGreaterThanOrEqual(256)
    await expect.poll(async () => (await call('sirp.stage.read', { params })).commands.completed, { timeout: 10_000 }).toBe(900)
    expect((await call('sirp.stage.results', { params, query: { limit: 1 } })).results).toMatchObject([{ content: { path: '/0' } }])
    site.tell(200)
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 10_000 }).toBe('completed')
    expect(await call('sirp.stage.read', { params })).toMatchObject({ rowsIn: rows, rowsOut: rows, commands: { total: rows, completed: rows, failed: 0, skipped: 0 } })
    const found: unknown[] = []
    for (let offset = 0; offset < rows; offset += 1000) {
      found.push(...(await call('sirp.query.results', { params: { id }, query: { offset, limit: 1000 } })).results.map(({ content }) => content))
    }
    expect(found).toEqual(Array.from({ length: rows }, (_, n) => ({ path: `/${n}` })))
    expect(site.seen).toHaveLength(rows)
  })

  test('that fails in the end keeps the records of what it had written', { timeout: 30_000 }, async ({ call }) => {
    await using site = await openHolding(lastOfUnit)
    const { id } = await call('sirp.query.dispatch', { body: { query: `range ${rows} || api get ${site.origin}/$n$` } })
    const params = { id, stage: '1' }
    await expect.poll(async () => (await call('sirp.stage.read', { params })).commands.completed, { timeout: 10_000 }).toBe(900)
    site.tell(404)
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 10_000 }).toBe('failed')
    expect(await call('sirp.stage.read', { params })).toMatchObject({ status: 'failed', error: { code: 'target_status' }, commands: { total: rows, completed: rows - 1, failed: 1 } })
    const { items } = await call('sirp.stage.commands', { params, query: { offset: 0, limit: 1000 } })
    expect(items.filter(({ status }) => status === 'failed')).toMatchObject([{ index: lastOfUnit, error: { code: 'target_status' } }])
    expect(items[0]).toMatchObject({ index: 0, status: 'completed', rows: 1 })
  })

  test('that is cancelled writes nothing more', { timeout: 30_000 }, async ({ call, api }) => {
    await using site = await openHolding(lastOfUnit)
    const { id } = await call('sirp.query.dispatch', { body: { query: `range ${rows} || api get ${site.origin}/$n$` } })
    const params = { id, stage: '1' }
    await expect.poll(async () => (await call('sirp.stage.read', { params })).commands.completed, { timeout: 10_000 }).toBe(900)
    await call('sirp.query.cancel', { params: { id } })
    const recorded = async () => (await readRecords(api.house, { queryId: id }, { offset: 0, limit: 1 })).total
    const written = await recorded()
    site.tell(200)
    await new Promise((later) => setTimeout(later, 500))
    expect(await recorded()).toBe(written)
    expect((await call('sirp.query.status', { params: { id } })).status).toBe('cancelled')
  })

  test('records values that would be syntax in another place as what they are', async ({ call }) => {
    const values = ['a\nb', '{1,2}', '"quoted"', "it's", 'NULL', '', '\u2028', '$1', 'é😀', 'tab\tand\r\n']
    await using site = await openHolding(-1)
    const { id } = await call('sirp.query.dispatchWait', { body: { query: `seed '${JSON.stringify(values.map((v) => ({ v }))).replaceAll("'", "\\'")}' || api post ${site.origin}/ --data '{"v": "$v$"}' --cache false` } })
    const { items } = await call('sirp.stage.commands', { params: { id, stage: '1' } })
    expect(items.map(({ index, flags, status, attempts, rows: made, warnings }) => ({ index, data: flags['data'], status, attempts, made, warnings }))).toEqual(
      values.map((v, index) => ({ index, data: `{"v": "${v}"}`, status: 'completed', attempts: 1, made: 1, warnings: [] })),
    )
  })
})
