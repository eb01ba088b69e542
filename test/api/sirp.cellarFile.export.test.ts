import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { keepBytes, keepText } from '../support/cellar.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem, expectSecurityHeaders } from '../support/problems.ts'

const id = 'sirp.cellarFile.export'

describe(id, () => {
  test('streams rows as an attachment in either form', async ({ api, sendAs }) => {
    await keepText(api, 'shop.json', '[{"sku":"A","price":{"eur":9.5},"tags":["x","y"]},{"sku":"B","more":null}]')
    const csv = await sendAs(api.adminKey, id, { params: { name: 'shop.json', mode: 'csv' } })
    expect(csv.status).toBe(200)
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="shop.csv"')
    expectSecurityHeaders((name) => csv.headers.get(name))
    expect(await csv.text()).toBe('sku,price.eur,tags.0,tags.1,more\r\nA,9.5,x,y,\r\nB,,,,\r\n')
    const ndjson = await sendAs(api.adminKey, id, { params: { name: 'shop.json', mode: 'ndjson' } })
    expect(ndjson.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="shop.ndjson"')
    expect(await ndjson.text()).toBe('{"sku":"A","price.eur":9.5,"tags.0":"x","tags.1":"y"}\n{"sku":"B","more":null}\n')
  })

  test.for<[name: string, content: string, csv: string, ndjson: string]>([
    ['numbers.csv', 'id,zip,price,note\n1,01234,1.50,\n2,99999,-3,x\n', 'id,zip,price,note\r\n1,01234,1.5,\r\n2,99999,-3,x\r\n', '{"id":1,"zip":"01234","price":1.5,"note":""}\n{"id":2,"zip":"99999","price":-3,"note":"x"}\n'],
    ['quoted.csv', '\ufeff"a b","c"\r\n"x\r\ny","say ""hi"", you"\r\n', 'a b,c\r\n"x\r\ny","say ""hi"", you"\r\n', '{"a b":"x\\r\\ny","c":"say \\"hi\\", you"}\n'],
    ['ragged.csv', 'a,b\n1\n1,2,3\n\n', 'a,b,_2\r\n1,,\r\n1,2,3\r\n', '{"a":1}\n{"a":1,"b":2,"_2":3}\n'],
    ['twice.csv', 'a,a,,a.1\n1,2,3,4', 'a,a.2,_2,a.1\r\n1,2,3,4\r\n', '{"a":1,"a.2":2,"_2":3,"a.1":4}\n'],
    ['header.csv', 'a,b', 'a,b\r\n', ''],
    ['empty.csv', '', '', ''],
    ['empty.ndjson', '\n \n', '', ''],
    ['none.json', '[]', '', ''],
    ['object.json', ' {"a":1} ', 'a\r\n1\r\n', '{"a":1}\n'],
    ['scalar.json', '5', 'value\r\n5\r\n', '{"value":5}\n'],
    ['scalars.ndjson', '1\r\n"x"\r\nnull', 'value\r\n1\r\nx\r\n""\r\n', '{"value":1}\n{"value":"x"}\n{"value":null}\n'],
    ['lists.json', '[[1,2],[3]]', '0,1\r\n1,2\r\n3,\r\n', '{"0":1,"1":2}\n{"0":3}\n'],
    ['hollow.json', '[{"a":{},"b":[]},{}]', '', '{}\n{}\n'],
    ['proto.ndjson', '{"__proto__":1,"constructor":2}', '__proto__,constructor\r\n1,2\r\n', '{"__proto__":1,"constructor":2}\n'],
    ['runs.ndjson', '{"=a":"=1+1","b":"+1","c":"-5","d":"-x","e":"@x","f":"\\tx","g":-5,"h":"a=1"}', "'=a,b,c,d,e,f,g,h\r\n'=1+1,'+1,-5,'-x,'@x,'\tx,-5,a=1\r\n", '{"=a":"=1+1","b":"+1","c":"-5","d":"-x","e":"@x","f":"\\tx","g":-5,"h":"a=1"}\n'],
  ])('exports %s', async ([name, content, csv, ndjson], { api, sendAs }) => {
    await keepText(api, name, content)
    expect(await (await sendAs(api.adminKey, id, { params: { name, mode: 'csv' } })).text()).toBe(csv)
    expect(await (await sendAs(api.adminKey, id, { params: { name, mode: 'ndjson' } })).text()).toBe(ndjson)
  })

  test.for<[name: string, content: string, place: Record<string, number>, reason: RegExp]>([
    ['broken.json', '[\n {"a":1},\n {"a":}\n]', { line: 3, column: 7 }, /not valid JSON/],
    ['cut.json', '[{"a":1},', { line: 1, column: 10 }, /not valid JSON/],
    ['trailing.json', '{"a":1}\nx', { line: 2, column: 1 }, /not valid JSON/],
    ['empty.json', '', { line: 1, column: 1 }, /not valid JSON/],
    ['deep.json', `[${'['.repeat(65)}${']'.repeat(65)}]`, { row: 1 }, /deeper than 64 levels/],
    ['infinite.json', '[1,1e999]', { row: 2 }, /range of a double/],
    ['long.json', `[1,"${'x'.repeat(9 * 2 ** 20)}"]`, { row: 2 }, /longer than 8,388,608/],
    ['broken.ndjson', '{"a":1}\n\n{"a":1}{"a":2}\n', { line: 3, column: 8 }, /not valid JSON/],
    ['cut.ndjson', '{"a":1}\n{"a"', { line: 2, column: 5 }, /not valid JSON/],
    ['long.ndjson', `1\n"${'x'.repeat(9 * 2 ** 20)}"`, { line: 2 }, /longer than 8,388,608/],
    ['open.csv', 'a,b\n1,"2\n3', { line: 3 }, /not closed/],
    ['behind.csv', 'a,b\n1,"2"3\n', { line: 2 }, /closing quote/],
    ['inside.csv', 'a,b\n1,2"3"\n', { line: 2 }, /quote stands inside/],
    ['long.csv', `a,b\n1,${'x'.repeat(9 * 2 ** 20)}\n`, { line: 2 }, /longer than 8,388,608/],
    ['commas.csv', `a,b\n${','.repeat(100_000)}\n`, { line: 2 }, /more than 100,000 columns/],
    ['some text', 'some text', {}, /the file is text/i],
  ])('refuses %s with the place and the reason, before anything is sent', async ([name, content, place, reason], { api, sendAs }) => {
    await keepBytes(api, name, content)
    for (const mode of ['csv', 'ndjson']) {
      const problem = await expectProblem(await sendAs(api.adminKey, id, { params: { name, mode } }), 'unreadable_file')
      expect(problem).toMatchObject(place)
      expect(problem.detail).toMatch(reason)
    }
  })

  test('refuses what is not UTF-8 and names the byte', async ({ api, sendAs }) => {
    for (const name of ['latin.csv', 'latin.json', 'latin.ndjson']) {
      await keepBytes(api, name, new Uint8Array([0x22, 0x61, 0xe4, 0x22]))
      expect(await expectProblem(await sendAs(api.adminKey, id, { params: { name, mode: 'csv' } }), 'unreadable_file')).toMatchObject({ byte: 3 })
    }
  })

  test('refuses rows that would unfold without bound', async ({ api, sendAs }) => {
    const bomb = JSON.stringify([{ ['k'.repeat(100_000)]: Array.from({ length: 1_000 }, () => 0) }])
    await keepText(api, 'bomb.json', bomb)
    const problem = await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'bomb.json', mode: 'ndjson' } }), 'unreadable_file')
    expect(problem.detail).toContain('column names')
    const wide = Array.from({ length: 100_001 }, (_, index) => `{"c${index}":1}`).join('\n')
    await keepText(api, 'wide.ndjson', wide)
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'wide.ndjson', mode: 'csv' } }), 'unreadable_file')
    expect((await (await sendAs(api.adminKey, id, { params: { name: 'wide.ndjson', mode: 'ndjson' } })).text()).length).toBe(wide.length + 1)
  })

  test('exports a file of many chunks row by row', async ({ api, sendAs }) => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `{"id":${index},"name":"名 ${index}","nested":{"a":[${index}]}}`)
    await keepText(api, 'large.ndjson', rows.join('\n'))
    const text = await (await sendAs(api.adminKey, id, { params: { name: 'large.ndjson', mode: 'ndjson' } })).text()
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(60_000)
    expect(lines.findIndex((line, index) => line !== `{"id":${index},"name":"名 ${index}","nested.a.0":${index}}`)).toBe(-1)
  })

  test('answers not_found for a name that nothing has, and names a mode that there is not', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody', mode: 'csv' } }), 'not_found')
    for (const mode of ['xml', 'CSV', 'csv.gz']) {
      const { errors } = await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody', mode } }), 'validation_failed')
      expect(errors).toEqual([{ path: '/mode', message: 'must be one of csv, ndjson', in: 'path' }])
    }
  })

  test('asks for the scope cellar:read', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:write'), id, { params: { name: 'x', mode: 'csv' } }), 'forbidden')
  })
})
