import { deflateRawSync, gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/query/rows.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget, type Answering } from '../../support/target.ts'
import { zipOf } from '../../support/zip.ts'

/** The rows that an answer becomes. */
async function rowsOf(answer: Answering, flags = ''): Promise<Row[]> {
  await using target = await openTarget(() => answer)
  return (await runEach(`api get ${target.url}/data?key=secret ${flags}`)).rows
}

const parquet = (): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'text', data: ['a', 'ü', null], type: 'STRING' },
        { name: 'big', data: [1n, 2n ** 60n, null], type: 'INT64' },
        { name: 'real', data: [1.5, Number.NaN, null], type: 'DOUBLE' },
        { name: 'when', data: [new Date(0), null, new Date('2026-01-02T03:04:05.678Z')], type: 'TIMESTAMP' },
        { name: 'yes', data: [true, false, null], type: 'BOOLEAN' },
        { name: 'blob', data: [new Uint8Array([0xff, 0]), new Uint8Array([65]), null], type: 'BYTE_ARRAY' },
        { name: 'nest', data: [{ a: [1, 2] }, null, {}], type: 'JSON' },
      ],
    }),
  )

const parquetRows = [
  { text: 'a', big: 1, real: 1.5, when: '1970-01-01T00:00:00.000Z', yes: true, blob: '/wA=', 'nest.a.0': 1, 'nest.a.1': 2 },
  { text: 'ü', big: '1152921504606846976', real: null, when: null, yes: false, blob: 'A', nest: null },
  { text: null, big: null, real: null, when: '2026-01-02T03:04:05.678Z', yes: null, blob: null },
]

const xmlRow = { 'a.attributes.x': '1', 'a.b.0': 'ü', 'a.b.1': '2' }
const xmlText = '<a x="1"><b>ü</b><b>2</b></a>'

describe('an answer', () => {
  test.for<[string, Answering, Row[]]>([
    ['JSON', { type: 'application/json', body: '[{"a":1},{"a":2}]' }, [{ a: 1 }, { a: 2 }]],
    ['an empty list', { type: 'application/json', body: '[]' }, []],
    ['a JSON object with a byte-order mark', { type: 'application/problem+json; charset=utf-8', body: '\ufeff{"a":{"b":1}}' }, [{ 'a.b': 1 }]],
    ['newline-delimited JSON', { type: 'application/x-ndjson', body: '{"a":1}\n\n{"a":2}' }, [{ a: 1 }, { a: 2 }]],
    ['XML', { type: 'application/xml', body: xmlText }, [xmlRow]],
    ['a kind of XML', { type: 'application/atom+xml', body: xmlText }, [xmlRow]],
    ['CSV, with a column of numbers', { type: 'text/csv', body: 'a,b,c\n1,x,01\n2,3,02\n' }, [{ a: 1, b: 'x', c: '01' }, { a: 2, b: '3', c: '02' }]],
    ['tab-separated values', { type: 'text/tab-separated-values', body: 'a\tb\n1\t5" disk\n' }, [{ a: 1, b: '5" disk' }]],
    ['Parquet', { type: 'application/vnd.apache.parquet', body: parquet() }, parquetRows],
    ['text', { type: 'text/plain', body: '{"a":1}' }, [{ text: '{"a":1}' }]],
    ['a page', { type: 'text/html; charset=utf-8', body: '<p>ü' }, [{ text: '<p>ü' }]],
    ['a picture', { type: 'image/png', body: Buffer.from([1, 2, 3]) }, [{ bytes: 'AQID', contentType: 'image/png', size: 3 }]],
    ['GZIP', { type: 'application/gzip', body: gzipSync('[{"a":1}]') }, [{ a: 1 }]],
    ['UTF-8 by its byte-order mark, whatever else is said', { type: 'application/json; charset=ISO-8859-1', body: '\ufeff{"a":"ü"}' }, [{ a: 'ü' }]],
    ['XML that claims to be in UTF-16', { type: 'text/xml', body: `<?xml version="1.0" encoding="utf-16"?>${xmlText}` }, [xmlRow]],
    ['a page that declares its encoding', { type: 'text/html', body: Buffer.from('<meta charset="windows-1252"><p>ü€'.replace('€', '\x80'), 'latin1') }, [{ text: '<meta charset="windows-1252"><p>ü€' }]],
    ['a page that declares it in the old way', { type: 'text/html', body: Buffer.from('<META http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>ü', 'latin1') }, [{ text: '<META http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>ü' }]],
    ['GZIP of a text in another encoding', { type: 'text/csv; charset=ISO-8859-1', body: gzipSync(Buffer.from('a\nü\n', 'latin1')) }, [{ a: 'ü' }]],
    ['GZIP in GZIP that claims to be CSV', { type: 'text/csv', body: gzipSync(gzipSync('a\n1')) }, [{ a: 1 }]],
  ])('is read by its content type: %s', async ([, answer, rows]) => {
    expect(await rowsOf(answer)).toEqual(rows)
  })

  test.for<[string, string | Buffer, Row[]]>([
    ['JSON', ' [{"a":1}]', [{ a: 1 }]],
    ['newline-delimited JSON', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['XML', xmlText, [xmlRow]],
    ['XML with a declaration', `<?xml version="1.0"?>${xmlText}`, [xmlRow]],
    ['XML in another encoding', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xmlText}`, 'latin1'), [xmlRow]],
    ['CSV', 'a,b\n1,2\n', [{ a: 1, b: 2 }]],
    ['text', 'hello, you', [{ text: 'hello, you' }]],
    ['a page', '<!doctype html><p>x', [{ text: '<!doctype html><p>x' }]],
    ['a number', '5', [{ text: '5' }]],
    ['UTF-16', Buffer.from('\ufeff{"a":"ü"}', 'utf16le'), [{ a: 'ü' }]],
    ['GZIP', gzipSync('a,b\n1,2\n'), [{ a: 1, b: 2 }]],
    ['Parquet', parquet(), parquetRows],
    ['bytes', Buffer.from([0, 1, 255]), [{ bytes: 'AAH/', contentType: 'application/octet-stream', size: 3 }]],
  ])('is read by its content: %s', async ([, body, rows]) => {
    expect(await rowsOf({ type: 'application/octet-stream', body })).toEqual(rows)
  })

  test('without a type is read by its content too', async () => {
    expect(await rowsOf({ body: '{"a":1}' })).toEqual([{ a: 1 }])
    expect(await rowsOf({ body: Buffer.from([0]) })).toEqual([{ bytes: 'AA==', contentType: null, size: 1 }])
  })

  test.for<[string, Answering, Row[]]>([
    ['json', { type: 'text/plain', body: '[1]' }, [{ value: 1 }]],
    ['ndjson', { type: 'application/json', body: '1\n2' }, [{ value: 1 }, { value: 2 }]],
    ['xml', { type: 'text/html', body: xmlText }, [xmlRow]],
    ['csv', { type: 'text/plain', body: 'a\nx' }, [{ a: 'x' }]],
    ['csv', { type: 'application/gzip', body: gzipSync('a\nx') }, [{ a: 'x' }]],
    ['parquet', { type: 'image/png', body: parquet() }, parquetRows],
    ['text', { type: 'application/json', body: '[1]' }, [{ text: '[1]' }]],
    ['raw', { type: 'application/json', body: '[1]' }, [{ bytes: 'WzFd', contentType: 'application/json', size: 3 }]],
    ['raw', { type: 'application/gzip', body: Buffer.from([0x1f, 0x8b]) }, [{ bytes: 'H4s=', contentType: 'application/gzip', size: 2 }]],
  ])('is read as --serializer %s says', async ([serializer, answer, rows]) => {
    expect(await rowsOf(answer, `--serializer ${serializer}`)).toEqual(rows)
  })

  test('is decoded by its charset', async () => {
    expect(await rowsOf({ type: 'text/csv; charset=ISO-8859-1', body: Buffer.from('a\nü\n', 'latin1') })).toEqual([{ a: 'ü' }])
    expect(await rowsOf({ type: 'text/plain; charset="windows-1252"', body: Buffer.from([0x80]) })).toEqual([{ text: '€' }])
    expect(await rowsOf({ type: 'application/json; charset=shift_jis', body: Buffer.from([0x22, 0x93, 0xfa, 0x22]) })).toEqual([{ value: '日' }])
    expect(await rowsOf({ type: 'text/plain; charset=nonsense', body: 'ü' })).toEqual([{ text: 'ü' }])
  })

  test('without a body is one row of how it came', async () => {
    expect(await rowsOf({ status: 204, headers: { 'x-a': 'b' } })).toMatchObject([{ '_response.status': 204, '_response.headers.x-a': 'b' }])
    const rows = await rowsOf({ type: 'application/json', body: '' }, '--serializer json')
    expect(rows).toMatchObject([{ '_response.status': 200, '_response.ms': expect.any(Number) as unknown, '_response.headers.content-type': 'application/json' }])
    expect(Object.keys(rows[0] ?? {}).every((name) => name.startsWith('_response.'))).toBe(true)
    await using target = await openTarget(() => ({ body: [1, 2] }))
    expect((await runEach(`api head ${target.url}/x`)).rows).toMatchObject([{ '_response.status': 200, '_response.url': `${target.url}/x` }])
  })

  test('says in every row how it came, with --response', async () => {
    const rows = await rowsOf({ headers: { 'x-a': 'b' }, body: [{ n: 1 }, { n: 2 }] }, '--response')
    expect(rows).toMatchObject([{ n: 1, '_response.status': 200 }, { n: 2, '_response.headers.x-a': 'b', '_response.headers.content-type': 'application/json' }])
  })

  test('larger than memory should hold at once is read piece by piece', { timeout: 60_000 }, async () => {
    const item = JSON.stringify({ text: 'x'.repeat(10_000) })
    expect(await rowsOf({ type: 'application/json', body: `[${Array.from({ length: 3_600 }, () => item).join(',')}]` })).toHaveLength(3_600)
  })

  test.for<[string, Answering, string]>([
    ['JSON', { type: 'application/json', body: '[1,\n{"a": x}]' }, 'cannot be read as JSON: Line 2, column 7: this is not valid JSON. It was read so because of its content type application/json; --serializer can force another way.'],
    ['a cut JSON', { type: 'application/json', body: '[1,' }, 'cannot be read as JSON: Line 1, column 4: this is not valid JSON.'],
    ['newline-delimited JSON', { type: 'application/x-ndjson', body: '1\n{' }, 'cannot be read as newline-delimited JSON: Line 2, column 2: this is not valid JSON.'],
    ['XML', { type: 'text/xml', body: '<a>\n</b>' }, 'cannot be read as XML: Line 2: this is not valid XML'],
    ['CSV', { type: 'text/csv', body: 'a\n"x' }, 'cannot be read as CSV: Line 2: a quoted field is not closed'],
    ['CSV that is not UTF-8', { type: 'text/csv', body: Buffer.from([97, 10, 0xff, 10]) }, 'cannot be read as CSV: Byte 3: the text is not valid UTF-8.'],
    ['Parquet', { type: 'application/parquet', body: Buffer.from('PAR1 nonsense PAR1') }, 'cannot be read as Parquet: This is not a Parquet file that can be read'],
    ['a cut Parquet', { type: 'application/parquet', body: parquet().subarray(0, 200) }, 'cannot be read as Parquet'],
    ['GZIP', { type: 'application/gzip', body: 'nonsense' }, 'cannot be read as GZIP: This is not valid GZIP: incorrect header check.'],
    ['a cut GZIP', { type: 'application/gzip', body: gzipSync('x'.repeat(1_000)).subarray(0, 15) }, 'GZIP: unexpected end of file'],
    ['ZIP', { type: 'application/zip', body: 'PK\u0003\u0004nonsense' }, 'cannot be read as ZIP: This is not a valid ZIP archive'],
    ['a number beyond all bounds', { type: 'application/json', body: '[1, {"a": 1e999}]' }, 'cannot be read as JSON: Row 2: the row holds a number beyond the range of a double.'],
    ['depth without end', { type: 'application/json', body: '['.repeat(100_000) + ']'.repeat(100_000) }, 'cannot be read as JSON: Row 1: the row is nested deeper than 64 levels.'],
  ])('that is broken is refused with its place: %s', async ([, answer, message]) => {
    const failure: unknown = await rowsOf(answer).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'target_unreadable', message: expect.stringContaining(message) as unknown })
    expect(String(failure)).toMatch(/The answer of http:\/\/127\.0\.0\.1:\d+\/data cannot/)
    expect(String(failure)).not.toContain('secret')
  })
})

describe('a ZIP archive', () => {
  test('gives the rows of all its files, each read by its name or its content', async () => {
    const body = zipOf([
      ['data/a.csv', 'n\n1\n2\n'], ['empty/', ''], ['b.json', '[{"m":1}]'], ['c', '{"o":1}\n{"o":2}'], ['note.txt', 'hi'], ['__MACOSX/x', 'x'], ['d.csv.gz', gzipSync('p\n3')],
      ['in.zip', zipOf([['e.xml', '<q>1</q>']])], ['none.csv', ''],
    ])
    expect(await rowsOf({ type: 'application/zip', body })).toEqual([
      { n: 1, _file: 'data/a.csv' }, { n: 2, _file: 'data/a.csv' }, { m: 1, _file: 'b.json' }, { o: 1, _file: 'c' }, { o: 2, _file: 'c' }, { text: 'hi', _file: 'note.txt' },
      { p: 3, _file: 'd.csv.gz' }, { q: '1', _file: 'in.zip/e.xml' },
    ])
  })

  test('is read as --serializer says inside', async () => {
    expect(await rowsOf({ body: zipOf([['a.txt', 'n\n1']]) }, '--serializer csv')).toEqual([{ n: 1, _file: 'a.txt' }])
  })

  test('names the file that is broken', async () => {
    await expect(rowsOf({ body: zipOf([['a.json', '{']]) })).rejects.toMatchObject({ code: 'target_unreadable', message: expect.stringMatching(/^The file a\.json in the answer of .* cannot be read as JSON: Line 1/) as unknown })
    await expect(rowsOf({ body: zipOf([['a.txt', 'x']], { badSum: true }) })).rejects.toMatchObject({ code: 'target_unreadable', message: expect.stringContaining('a.txt is damaged') as unknown })
  })

  test.for(['../../etc/passwd', '/etc/passwd'])('is refused with a name that leaves it: %s', async (name) => {
    await expect(rowsOf({ body: zipOf([[name, 'x']]) })).rejects.toMatchObject({ code: 'target_unreadable' })
  })

  test('is bounded in files, in depth and in what it unpacks to', async () => {
    await expect(rowsOf({ body: zipOf(Array.from({ length: 10_001 }, (_, index) => [`${index}.txt`, ''])) })).rejects.toMatchObject({ code: 'target_unreadable', message: expect.stringContaining('10,001 files') as unknown })
    let nested = zipOf([['a.txt', 'x']])
    for (let depth = 0; depth < 3; depth += 1) nested = zipOf([['a.zip', nested]])
    await expect(rowsOf({ body: nested })).rejects.toMatchObject({ code: 'target_unreadable', message: expect.stringContaining('packed more than 3 times over') as unknown })
    const bomb = Buffer.alloc(20 * 2 ** 20)
    expect(deflateRawSync(bomb).length).toBeLessThan(bomb.length / 900)
    for (const body of [zipOf([['a.txt', bomb]]), gzipSync(bomb)]) {
      await expect(rowsOf({ body })).rejects.toMatchObject({ code: 'target_too_large', message: expect.stringContaining('250 times') as unknown })
    }
  })
})
