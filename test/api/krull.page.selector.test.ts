import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.page.selector', () => {
  test('answers the elements that a selector matches, and the page', async ({ call, site }) => {
    const answer = await call('krull.page.selector', { body: { url: `${site.origin}/`, selector: 'a[href]' } })
    expect(answer).toMatchObject({
      total: 2,
      attempts: 1,
      page: { url: `${site.origin}/`, status: 200, title: 'Shop' },
      elements: [{ nodeName: 'A', attributes: { href: '/a' }, innerText: 'A', outerHTML: '<a href="/a">A</a>' }, { attributes: { href: '/b?x=1' } }],
    })
    expect(answer.elements[0]).toHaveProperty('boundingClientRect.width')
  })

  test('answers an empty list where nothing matches, also on a page that answers 404', async ({ call, site }) => {
    expect(await call('krull.page.selector', { body: { url: `${site.origin}/missing`, selector: '.none' } })).toMatchObject({ elements: [], total: 0, page: { status: 404 } })
  })

  test('keeps the picture that it takes beside', async ({ api, call, sendAs, site }) => {
    const { screenshot } = await call('krull.page.selector', { body: { url: `${site.origin}/square`, selector: 'div', screenshot: true, type: 'png', device: 'Desktop' } })
    expect(screenshot).toMatchObject({ type: 'png', width: 1280, height: 800, url: `/v1/screenshot/${screenshot?.hash}` })
    const image = await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: screenshot?.hash ?? '' } })
    expect([image.status, image.headers.get('content-type'), (await image.arrayBuffer()).byteLength]).toEqual([200, 'image/png', screenshot?.bytes])
  })

  test('refuses a target that may not be reached by a 403', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, 'krull.page.selector', { body: { url: 'http://169.254.169.254/', selector: 'a' } }), 'target_forbidden')
  })

  test.for([
    ['a device that does not exist', { device: 'Typewriter' }, '/device'],
    ['visible and hidden together', { visible: true, hidden: true }, '/hidden'],
    ['a plain function', { expression: 'function () { return 1 }' }, '/expression'],
    ['a proxy without a host', { proxy: 'socks5://:1' }, '/proxy'],
  ] as const)('refuses %s by a 422 that names the field', async ([, wrong, path], { api, sendAs, site }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'krull.page.selector', { body: { url: site.origin, selector: 'a', ...wrong } }), 'unprocessable')
    expect(problem).toMatchObject({ errors: [{ path }] })
  })
})
