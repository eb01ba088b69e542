import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { runEach } from '../../support/runEach.ts'
import { openTarget, type Answering } from '../../support/target.ts'

let pages: Record<string, Answering> = {}
const target = await openTarget(({ url }) => pages[url] ?? { status: 404 })
const other = await openTarget(() => ({ body: set('https://b.example/') }))
afterAll(() => Promise.all([target, other].map((site) => site[Symbol.asyncDispose]())))
beforeEach(() => {
  pages = {}
  target.hits.splice(0)
  other.hits.splice(0)
})

const set = (...locs: string[]) => `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
const index = (...locs: string[]) => `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`
const read = (more = '') => runEach(`sitemap ${target.url}/s.xml ${more}`)
const locs = async () => (await read()).rows.map(({ loc }) => loc)
const site = (given: Record<string, string | Buffer>) => void (pages = Object.fromEntries(Object.entries(given).map(([url, body]) => [url, { body }])))

describe('sitemap', () => {
  test('makes a row an address, with the priority as a number', async () => {
    site({
      '/s.xml': `<?xml version="1.0" encoding="UTF-8"?><!-- <url><loc>hidden</loc></url> -->
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
        <url><loc> https://a.example/?a=1&amp;b=2 </loc><lastmod>2021-09-06</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url>
        <url><image:image><image:loc>https://a.example/i.png</image:loc></image:image><loc><![CDATA[https://a.example/2]]></loc></url></urlset>`,
    })
    expect((await read()).rows).toEqual([
      { loc: 'https://a.example/?a=1&b=2', lastmod: '2021-09-06', changefreq: 'daily', priority: 0.8 },
      { loc: 'https://a.example/2', lastmod: null, changefreq: null, priority: null },
    ])
  })

  test('reads prefixed, empty, packed and plain ones', async () => {
    site({ '/s.xml': '<s:urlset xmlns:s="x"><s:url><s:loc>https://a.example/</s:loc></s:url></s:urlset>' })
    expect(await locs()).toEqual(['https://a.example/'])
    site({ '/s.xml': '<urlset xmlns="x"/>' })
    expect(await locs()).toEqual([])
    site({ '/s.xml': gzipSync(set('https://a.example/1')) })
    expect(await locs()).toEqual(['https://a.example/1'])
    site({ '/s.xml': 'https://a.example/1\r\nhttps://a.example/2\n' })
    expect(await locs()).toEqual(['https://a.example/1', 'https://a.example/2'])
  })

  test('follows an index, in its order and each sitemap once', async () => {
    site({ '/s.xml': index('/2.xml', `${target.url}/1.xml`, '/2.xml', '/s.xml'), '/1.xml': set('https://a.example/1'), '/2.xml': set('https://a.example/2') })
    expect(await locs()).toEqual(['https://a.example/2', 'https://a.example/1'])
    expect(target.hits).toHaveLength(3)
  })

  test('follows to depth 3, and warns of what is below', async () => {
    site({ '/s.xml': index('/1.xml', '/2.xml'), '/1.xml': index('/3.xml'), '/2.xml': index('/4.xml'), '/3.xml': set('https://a.example/'), '/4.xml': index('/5.xml') })
    const { rows, warnings } = await read()
    expect(rows.map(({ loc }) => loc)).toEqual(['https://a.example/'])
    expect(warnings).toEqual([expect.stringContaining('/4.xml')])
  })

  test('passes over a sitemap that is gone, but not over one that fails', async () => {
    site({ '/s.xml': index('/gone.xml', '/1.xml'), '/1.xml': set('https://a.example/') })
    const { rows, warnings } = await read()
    expect(rows).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining('gone.xml')])
    pages['/gone.xml'] = { status: 500 }
    await expect(read()).rejects.toMatchObject({ code: 'target_status' })
  })

  test('identifies itself only where the query sends it', async () => {
    site({ '/s.xml': index('/1.xml', `${other.url}/2.xml`), '/1.xml': set('https://a.example/') })
    await read('--bearer secret')
    expect(target.hits.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret'])
    expect(other.hits.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  test('reads at most 50,000 addresses of one sitemap, in good time', async () => {
    site({ '/s.xml': set(...Array.from({ length: 50_010 }, (_, n) => `https://a.example/some/path/that/is/rather/long/${n}`)) })
    const { rows, warnings } = await read()
    expect(rows).toHaveLength(50_000)
    expect(warnings).toEqual([expect.stringContaining('50,000')])
  })

  test.for(['<html></html>', '<urlset><url><loc>https://a.example/</loc></url>', 'hello', '', '<urlset><url><loc>x</url></urlset>', '<!-- <urlset></urlset>'])('refuses %s', async (text) => {
    site({ '/s.xml': text })
    await expect(read()).rejects.toMatchObject({ code: 'target_unreadable' })
  })

  test('takes an error status for an error', async () => {
    await expect(read()).rejects.toMatchObject({ code: 'target_status' })
  })
})
