import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { runEach } from '../../support/runEach.ts'
import { openTarget, type Answering } from '../../support/target.ts'

let answer: Answering = {}
const target = await openTarget(() => answer)
afterAll(() => target[Symbol.asyncDispose]())

async function read(body: string | Buffer, type = 'application/xml') {
  answer = { body, type }
  return (await runEach(`feed ${target.url}/feeds/a.xml`)).rows
}

const blank = { title: null, link: null, published: null, summary: null, author: null, id: null }

describe('feed', () => {
  test('reads RSS 2.0', async () => {
    const rows = await read(`<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Site</title>
      <item><title>A &amp; B</title><link>https://a.example/1</link><pubDate>Mon, 06 Sep 2021 00:01:00 +0200</pubDate>
        <description><![CDATA[<p>Text</p>]]></description><dc:creator>Ann</dc:creator><guid isPermaLink="false">x-1</guid></item>
      <item><title>C</title><guid>https://a.example/2</guid><pubDate>someday</pubDate></item></channel></rss>`)
    expect(rows).toEqual([
      { title: 'A & B', link: 'https://a.example/1', published: '2021-09-05T22:01:00.000Z', summary: '<p>Text</p>', author: 'Ann', id: 'x-1' },
      { ...blank, title: 'C', link: 'https://a.example/2', published: 'someday', id: 'https://a.example/2' },
    ])
  })

  test('reads RSS 0.91 and 1.0', async () => {
    expect(await read('<rss version="0.91"><channel><item><title>A</title><link>/1</link></item></channel></rss>')).toEqual([{ ...blank, title: 'A', link: `${target.url}/1`, id: `${target.url}/1` }])
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="c"/><item rdf:about="https://a.example/1">
      <title>A</title><link>https://a.example/1</link><dc:date>2021-09-06T10:00:00Z</dc:date></item></rdf:RDF>`
    expect(await read(rdf)).toEqual([{ ...blank, title: 'A', link: 'https://a.example/1', published: '2021-09-06T10:00:00.000Z', id: 'https://a.example/1' }])
  })

  test('reads Atom, also with a prefix', async () => {
    const atom = (p: string) => `<?xml version="1.0"?><${p}feed><${p}author><${p}name>Site</${p}name></${p}author><${p}entry><${p}title type="html">A</${p}title>
      <${p}link rel="self" href="/api/1"/><${p}link href="../1"/><${p}id>urn:1</${p}id><${p}updated>2021-09-06T10:00:00+01:00</${p}updated><${p}summary>S</${p}summary></${p}entry></${p}feed>`
    const row = { title: 'A', link: `${target.url}/1`, published: '2021-09-06T09:00:00.000Z', summary: 'S', author: 'Site', id: 'urn:1' }
    expect(await read(atom(''))).toEqual([row])
    expect(await read(atom('a:'))).toEqual([row])
  })

  test('reads a JSON feed', async () => {
    const feed = { version: 'https://jsonfeed.org/version/1.1', items: [{ id: 1, url: 'https://a.example/1', content_text: 'T', date_published: '2021-09-06', authors: [{ name: 'Ann' }, { name: 'Bo' }] }] }
    expect(await read(JSON.stringify(feed), 'application/feed+json')).toEqual([
      { title: null, link: 'https://a.example/1', published: '2021-09-06T00:00:00.000Z', summary: 'T', author: 'Ann, Bo', id: '1' },
    ])
  })

  test('reads feeds in other encodings, and packed ones', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><item><title>Zürich</title></item></channel></rss>'
    expect(await read(Buffer.from(text, 'latin1'))).toMatchObject([{ title: 'Zürich' }])
    expect(await read(gzipSync(Buffer.from(text, 'latin1')), 'application/gzip')).toMatchObject([{ title: 'Zürich' }])
  })

  test('keeps the text of XHTML in its order', async () => {
    const entry = '<title type="xhtml"><div>Less: <em>this</em> is it</div></title><content type="xhtml"><div><p>a</p> <h1>b</h1><p>H<sub>2</sub>O</p></div></content>'
    expect(await read(`<feed><entry>${entry}</entry></feed>`)).toMatchObject([{ title: 'Less: this is it', summary: 'a b H2O' }])
  })

  test('takes links relative to xml:base, from the outside in', async () => {
    const atom = '<feed xml:base="/blog/"><entry xml:base="2021/"><link xml:base="09/" href="1"/></entry><entry><link href="2"/></entry></feed>'
    expect((await read(atom)).map(({ link }) => link)).toEqual([`${target.url}/blog/2021/09/1`, `${target.url}/blog/2`])
    expect(await read('<rss xml:base="https://a.example/x/"><channel><item><link>1</link></item></channel></rss>')).toMatchObject([{ link: 'https://a.example/x/1' }])
  })

  test('reads a text whose declaration names an encoding that it cannot be in', async () => {
    expect(await read('<?xml version="1.0" encoding="utf-16"?><rss><channel><item><title>Zürich</title></item></channel></rss>')).toMatchObject([{ title: 'Zürich' }])
  })

  test('makes no row of an empty feed', async () => {
    expect(await read('<rss><channel><title>x</title></channel></rss>')).toEqual([])
  })

  test('adds how the answer came with --response', async () => {
    answer = { body: '<rss><channel><item><title>A</title></item></channel></rss>' }
    expect((await runEach(`feed ${target.url} --response`)).rows).toEqual([expect.objectContaining({ title: 'A', '_response.status': 200 })])
  })

  test.for(['<html><body/></html>', '<rss><channel>', '{"a": 1}', 'hello', ''])('refuses what is no feed: %s', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'target_unreadable' })
  })

  test('takes an error status for an error', async () => {
    answer = { status: 404 }
    await expect(runEach(`feed ${target.url}`)).rejects.toMatchObject({ code: 'target_status' })
  })
})
