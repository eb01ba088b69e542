import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('html', () => {
  const page = (text: string) => `addcolumn p \`\`\`html\n${text}\n\`\`\` || addcolumn id 7`

  test('makes a row an element and keeps the columns of the row', async () => {
    expect(await rowsOf(`${page('<p class="x">one <b>two</b></p>')} || html p`)).toEqual([
      { p: '<p class="x">one <b>two</b></p>', id: 7, '_html.nodeName': 'P', '_html.attributes.class': 'x', '_html.innerText': 'one two', '_html.innerHTML': 'one <b>two</b>' },
      { p: '<p class="x">one <b>two</b></p>', id: 7, '_html.nodeName': 'B', '_html.innerText': 'two', '_html.innerHTML': 'two' },
    ])
  })

  test('with --selector only those that match', async () => {
    const rows = await rowsOf(`${page('<ul><li><a href="/1">1</a><li><a href="/2">2</a><li>3</ul>')} || html p --selector 'ul > li:nth-child(-n+2) a[href]'`)
    expect(rows.map((row) => row['_html.attributes.href'])).toEqual(['/1', '/2'])
  })

  test('parses as browsers do', async () => {
    expect(await rowsOf(`${page('<table><tr><td>1<td>2<tr><td>3</table>')} || html p --selector 'table > tbody > tr' || table _html.innerText`)).toEqual([{ '_html.innerText': '1\t2' }, { '_html.innerText': '3' }])
    expect(await rowsOf(`${page('<tr><td>1</td></tr>')} || html p --selector td || table _html.innerText`)).toEqual([{ '_html.innerText': '1' }])
    expect(await rowsOf(`${page('<!doctype html><title>T</title><p>x')} || html p --selector 'html > head > title, body > p' || table _html.innerText`)).toEqual([{ '_html.innerText': 'T' }, { '_html.innerText': 'x' }])
  })

  test('leaves nothing of the element whose HTML it parses', async () => {
    const rows = await rowsOf(`${page('<p class="x" id="y"><a href="/1">1</a></p>')} || html p --selector p || html _html.innerHTML || untable p`)
    expect(rows).toEqual([{ id: 7, '_html.nodeName': 'A', '_html.attributes.href': '/1', '_html.innerText': '1', '_html.innerHTML': '1' }])
  })

  test('reads text as it is seen', async () => {
    const text = '<div> a\n  b<br>c<p>d</p><script>x</script><pre> e\n f</pre><style>y</style> g</div>'
    expect((await rowsOf(`${page(text)} || html p --selector div`))[0]?.['_html.innerText']).toBe('a b\nc\nd\n e\n f\ng')
  })

  test('makes no row where nothing matches or nothing is there', async () => {
    expect(await rowsOf(`seed '[{p: "<p>"}, {p: null}, {}, {p: ""}]' || html p --selector i`)).toEqual([])
  })

  test('refuses a selector that is longer than anyone writes', () => {
    const [wrong] = parseQuery(`addcolumn p x || html p --selector '${'a '.repeat(10_001)}'`).faults
    expect(wrong?.message).toContain('it is longer than 20,000 characters')
  })

  test('reports a selector that is none', () => {
    expect(parseQuery("range 1 || html n --selector 'a['").faults).toMatchObject([{ start: 29, message: expect.stringContaining('not a CSS selector') }])
    expect(parseQuery("range 1 || html n --selector 'a:nope(1)'").faults).toHaveLength(1)
  })

  test.for([
    ['nesting without end', '<div>'.repeat(20_000)],
    ['formatting that every paragraph repeats', `<p>${Array.from({ length: 400 }, (_, n) => `<b i=${n}>`).join('')}${'<p>x</p>'.repeat(5_000)}`],
    ['a tag with attributes without end', `<p ${Array.from({ length: 200_000 }, (_, n) => `a${n}`).join(' ')}>`],
  ] as const)('refuses %s, with a warning', async ([, text]) => {
    const { rows, warnings } = await runQuery(`${page(text)} || html p --selector i`)
    expect(rows).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/^p was not parsed: /)])
  })

  test('bounds the steps of a selector', async () => {
    const query = `${page(`${'<i></i>'.repeat(20_000)}<u></u>`)} || html p --selector 'b ~ i ~ i ~ i ~ u'`
    await expect(rowsOf(query)).rejects.toThrow('takes too many steps')
  })

  test('bounds what nested elements repeat', async () => {
    await expect(rowsOf(`${page('<div>'.repeat(400) + 'x'.repeat(1_000_000))} || html p`)).rejects.toThrow('with --selector')
  })
})
