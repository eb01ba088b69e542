import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.page.session', () => {
  test('captures cookies and storages at every load, and the last ones at the top', async ({ call, site }) => {
    const answer = await call('krull.page.session', { body: { url: `${site.origin}/cookie`, expression: ["() => { location.href = '/a' }", '() => document.title'] } })
    expect(answer.steps.map(({ url, status, result }) => [url, status, result])).toEqual([
      [`${site.origin}/cookie`, 200, null], [`${site.origin}/a`, 200, null], [`${site.origin}/a`, 200, 'Page A'],
    ])
    expect(answer).toMatchObject({ cookieStorage: { made: { value: 'here' } }, localStorage: { kept: 'yes' }, page: { title: 'Page A' } })
  })

  test('names the expression that cannot be read', async ({ api, sendAs, site }) => {
    const body = { url: site.origin, expression: ['() => 1', '() =>'] }
    expect((await expectProblem(await sendAs(api.adminKey, 'krull.page.session', { body }), 'expression_failed')).errors).toEqual([expect.objectContaining({ path: '/expression/1' })])
  })

  test('takes expressions of 16 MiB in all, and refuses more by a 413', async ({ api, sendAs, site }) => {
    const largest = `1/*${'x'.repeat(2 ** 20 - 5)}*/`
    const ask = (count: number) =>
      sendAs(api.adminKey, 'krull.page.session', { body: { url: `${site.origin}/a`, expression: Array.from({ length: count }, () => largest) }, headers: { Prefer: 'respond-async' } })
    expect((await ask(16)).status).toBe(202)
    expect((await expectProblem(await ask(17), 'body_too_large')).detail).toContain('16,777,216')
  })
})
