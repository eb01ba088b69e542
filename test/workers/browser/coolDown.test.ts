import { describe, expect } from 'vitest'
import { test } from '../../support/browserEngine.ts'
import { openTarget } from '../../support/httpTarget.ts'

describe('a page that asks to be left alone', () => {
  test.for([429, 503])('by %i is left alone by queries and pages alike, for as long as it asks', { timeout: 60_000 }, async (status, { call }) => {
    const times: number[] = []
    const paths: string[] = []
    const target = await openTarget((request, response) => {
      times.push(Date.now())
      paths.push(request.url ?? '')
      if (times.length === 1) response.writeHead(status, { 'retry-after': '4', 'content-type': 'text/html' }).end('later')
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const { page } = await call('krull.page.evaluate', { body: { url: `${target.origin}/page`, expression: '1' } })
    expect(page).toMatchObject({ status })
    await expect.poll(async () => (await call('gonogo.domain.list')).items.find(({ domain }) => domain === '127.0.0.1')?.coolDownUntil).toEqual(expect.any(String))
    const [query, opened] = await Promise.all([
      call('sirp.query.dispatchWait', { body: { query: `api get ${target.origin}/query --cache false` } }),
      call('krull.page.evaluate', { body: { url: `${target.origin}/again`, expression: '1' } }),
    ])
    expect([query.status, opened.page?.status]).toEqual(['completed', 200])
    expect((times[1] ?? 0) - (times[0] ?? 0), paths.join(' ')).toBeGreaterThanOrEqual(3_950)
    await target.close()
  })
})
