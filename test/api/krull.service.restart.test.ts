import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { describeRestart, hostsOf } from '../support/serviceRestart.ts'

const id = 'krull.service.restart'

describeRestart(id, 'krull')

describe(`${id} with browsers at work`, () => {
  test('lets running jobs end, takes up those that wait, and loses none', { timeout: 90_000 }, async ({ api, call }) => {
    await expect.poll(() => hostsOf(api, 'krull'), { timeout: 10_000 }).toHaveLength(1)
    const [host] = await hostsOf(api, 'krull')
    await expect.poll(async () => (await call('sirp.service.status', { params: { service: 'krull' } })).status, { timeout: 10_000 }).toBe('up')
    const expression = '(n) => new Promise((done) => setTimeout(() => done(n * 2), 500))'
    const jobs = Array.from({ length: 12 }, (_, n) => call('krull.expression.evaluate', { body: { expression, args: [n] } }))
    expect(await call(id, { headers: { Prefer: 'wait=60' } })).toEqual({ service: 'krull', restarting: 0, restarted: [host] })
    expect((await Promise.all(jobs)).map((answer) => ('result' in answer ? answer.result : null))).toEqual(Array.from({ length: 12 }, (_, n) => n * 2))
    expect(await call('krull.expression.evaluate', { body: { expression: '() => 7' } })).toMatchObject({ result: 7 })
  })
})
