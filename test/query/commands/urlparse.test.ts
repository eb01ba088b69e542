import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('urlparse', () => {
  test('takes an address apart', async () => {
    expect(await rowsOf("addcolumn u 'https://me@example.com:8080/a/b?q=1&t=x&t=y#top' || urlparse u")).toEqual([{
      u: 'https://me@example.com:8080/a/b?q=1&t=x&t=y#top',
      '_url.protocol': 'https:',
      '_url.host': 'example.com:8080',
      '_url.hostname': 'example.com',
      '_url.port': '8080',
      '_url.path': '/a/b',
      '_url.hash': '#top',
      '_url.query.q': '1',
      '_url.query.t.0': 'x',
      '_url.query.t.1': 'y',
    }])
  })

  test('leaves nothing of the query of another address', async () => {
    const rows = await rowsOf(`seed '{a: "https://x.example/?p=1&q=2", b: "https://y.example/?q=3"}' || urlparse a || urlparse b || table _url.query.*`)
    expect(rows).toEqual([{ '_url.query.q': '3' }])
  })

  test('gives null and a warning for what is no address', async () => {
    const { rows, warnings } = await runQuery('addcolumn u /a/b || urlparse u || table _url.*')
    expect(rows).toEqual([{ '_url.protocol': null, '_url.host': null, '_url.hostname': null, '_url.port': null, '_url.path': null, '_url.hash': null }])
    expect(warnings).toEqual(['u is not a whole address: /a/b'])
  })
})
