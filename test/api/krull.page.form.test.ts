import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.page.form', () => {
  test('fills and submits a form, and answers the cookies behind it', async ({ call, site }) => {
    const answer = await call('krull.page.form', { body: { url: `${site.origin}/form`, selectorValuePairs: [['#user', 'ada']], submitSelector: '#go' } })
    expect(answer).toMatchObject({ page: { url: `${site.origin}/sent?user=ada`, status: 200 }, cookieStorage: { sent: { value: 'user=ada' } } })
  })

  test('answers a field or a button that is not there by a 422', async ({ api, sendAs, site }) => {
    const form = { url: `${site.origin}/form`, selectorValuePairs: [['#user', 'ada']], submitSelector: '#go' }
    await expectProblem(await sendAs(api.adminKey, 'krull.page.form', { body: { ...form, selectorValuePairs: [['#nobody', 'x']] } }), 'selector_not_found')
    await expectProblem(await sendAs(api.adminKey, 'krull.page.form', { body: { ...form, submitSelector: '#nothing' } }), 'selector_not_found')
  })
})
