import { describe, expect, test } from 'vitest'
import { rowsOf, runQuery } from '../../support/runQuery.ts'

describe('xml', () => {
  const parse = async (text: string) => (await rowsOf(`addcolumn d \`\`\`xml\n${text}\n\`\`\` || xml d`))[0]

  test('makes a list of every child element', async () => {
    expect(await parse('<?xml version="1.0"?>\n<rss><channel><item><title>a</title></item><item><title>b</title><e/></item></channel></rss>')).toEqual({
      'd.rss.channel.0.item.0.title.0': 'a',
      'd.rss.channel.0.item.1.title.0': 'b',
      'd.rss.channel.0.item.1.e.0': '',
    })
  })

  test('gives attributes, text beside them, and name-space prefixes', async () => {
    expect(await parse('<a x="1 &lt; 2"><s:b xmlns:s="u" id="007"> t </s:b><c>one<d/>two</c></a>')).toEqual({
      'd.a.attributes.x': '1 < 2',
      'd.a.s:b.0.attributes.xmlns:s': 'u',
      'd.a.s:b.0.attributes.id': '007',
      'd.a.s:b.0.textContent': 't',
      'd.a.c.0.textContent': 'onetwo',
      'd.a.c.0.d.0': '',
    })
  })

  test('decodes entities once, and never in CDATA', async () => {
    expect(await parse('<a><b>&amp;lt; &#233;&#xE9; &nope;</b><b><![CDATA[ <x> &amp; ]]></b></a>')).toEqual({ 'd.a.b.0': '&lt; éé &nope;', 'd.a.b.1': ' <x> &amp; ' })
  })

  test('keeps an element called attributes or textContent', async () => {
    expect(await parse('<a x="1"><attributes>y</attributes><attributes>z</attributes></a>')).toEqual({ 'd.a.attributes.x': '1', 'd.a.attributes.0': 'y', 'd.a.attributes.1': 'z' })
    expect(await parse('<a>x<textContent>y</textContent></a>')).toEqual({ 'd.a.textContent.0': 'y' })
  })

  test('keeps names that objects have', async () => {
    const row = await parse('<__proto__ constructor="x" __proto__="w"><constructor>y</constructor><__proto__/></__proto__>')
    expect(Object.entries(row ?? {})).toEqual([['d.__proto__.attributes.constructor', 'x'], ['d.__proto__.attributes.__proto__', 'w'], ['d.__proto__.constructor.0', 'y'], ['d.__proto__.__proto__.0', '']])
  })

  test('expands no entity that a document declares', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY a${n + 1} "&a${n};&a${n};">`).join('')}]><a>&a30;</a>`
    expect(await parse(bomb)).toEqual({ 'd.a': '&a30;' })
    expect(await parse('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).not.toEqual(expect.objectContaining({ 'd.a': expect.stringContaining('root') }))
  })

  test.for(['<a><b></a>', 'plain', '<a>', '<a x=1/>', '<a/>x'])('leaves %s, with a warning', async (text) => {
    const { rows, warnings } = await runQuery(`addcolumn d '${text}' || xml d`)
    expect(rows).toEqual([{ d: text }])
    expect(warnings).toHaveLength(1)
  })

  test('refuses depth without end', async () => {
    const text = `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`
    const { rows, warnings } = await runQuery(`addcolumn d '${text}' || xml d`)
    expect(rows).toEqual([{ d: text }])
    expect(warnings).toHaveLength(1)
  })
})
