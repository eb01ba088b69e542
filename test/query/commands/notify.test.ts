import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findCommand } from '../../../src/query/commands/index.ts'
import { parseQuery } from '../../../src/query/plan.ts'
import type { Row } from '../../../src/query/rows.ts'
import { runStages, timeLookup } from '../../../src/query/run.ts'
import { collectRows } from '../../../src/query/stream.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget } from '../../support/target.ts'

let status = 204
const target = await openTarget(() => ({ status }))
afterAll(() => target[Symbol.asyncDispose]())
beforeEach(() => {
  target.hits.splice(0)
  status = 204
})
const outside = openOutside({ credentials: [credential('hook', 'custom', { value: 'sesame' })] })
const scratch = { memoryBytes: 2 ** 20, open: () => Promise.reject(new Error('this needs no disk')) }
const runAll = (text: string): Promise<Row[]> =>
  collectRows(runStages(parseQuery(text).stages, { lookup: timeLookup(Date.now, () => null), warn: () => undefined, signal: AbortSignal.timeout(15_000), outside, scratch }))
const bodies = (): string[] => target.hits.map(({ body }) => body.toString())

describe('notify', () => {
  test('posts a row as JSON and passes it on', async () => {
    const row = { id: 7, text: 'ü', gone: null }
    expect((await runEach(`notify ${target.url}/$id$`, { row, outside })).rows).toEqual([row])
    expect(target.hits).toMatchObject([{ method: 'POST', url: '/7', headers: { 'content-type': 'application/json' } }])
    expect(target.hits[0]?.headers).not.toHaveProperty('x-signature')
    expect(bodies()).toEqual([JSON.stringify(row)])
  })

  test('posts rows one by one, or with --batch all together', async () => {
    expect(await runAll(`range 3 || notify ${target.url}`)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
    expect(await runAll(`range 3 || notify ${target.url} --batch`)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
    expect(bodies()).toEqual(['{"n":0}', '{"n":1}', '{"n":2}', '[{"n":0},{"n":1},{"n":2}]'])
  })

  test('with --batch and no rows posts nothing', async () => {
    expect(await runAll(`range 0 || notify ${target.url} --batch`)).toEqual([])
    expect(target.hits).toEqual([])
  })

  test('signs the very bytes of the body', async () => {
    await runEach(`notify ${target.url} --secret hook`, { row: { text: 'ü' }, outside })
    await runAll(`range 2 || notify ${target.url} --batch --secret hook`)
    expect(target.hits).toHaveLength(2)
    for (const { body, headers } of target.hits) expect(headers['x-signature']).toBe(`sha256=${createHmac('sha256', 'sesame').update(body).digest('hex')}`)
  })

  test.for([400, 500])('takes the status %d for an error', async (given) => {
    status = given
    await expect(runEach(`notify ${target.url}`, { row: { n: 1 }, outside })).rejects.toMatchObject({ code: 'target_status' })
    await expect(runAll(`range 2 || notify ${target.url} --batch`)).rejects.toMatchObject({ code: 'target_status' })
  })

  test('says that --batch needs all rows, and is never cached', () => {
    const command = findCommand('notify')
    const flagsOf = (query: string) => parseQuery(query).stages[0]?.flags as never // read with this command's own parameters
    expect(command?.asOne?.(flagsOf('notify https://a.example'))).toBe(false)
    expect(command?.asOne?.(flagsOf('notify https://a.example --batch'))).toBe(true)
    expect(command).toMatchObject({ neverCached: true, rowsPerJob: 10 })
  })
})
