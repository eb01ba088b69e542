import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { CellarFile } from '../../src/contract/sirp/cellarFiles.ts'
import { startApi, test } from '../support/api.ts'
import {
  badFileNames, contentOf, countContents, filesPath, formOf, goodFileNames, keepBytes, keepText, uploadBody, uploadForm, uploadRaw, uploadText,
} from '../support/cellar.ts'
import { brief } from '../support/labels.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
import { tally } from '../support/tally.ts'
import { Wire } from '../support/wire.ts'

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('sirp.cellarFile.upload', () => {
  test('answers 201 with the record, its address and its version', async ({ api }) => {
    const response = await uploadText(api, 'first.csv', 'a,b\n1,ü\n')
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('/v1/sirp/cellar/files/first.csv')
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'first.csv',
      contentType: 'text/csv',
      format: 'csv',
      bytes: 9,
      sha256: sha256('a,b\n1,ü\n'),
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  test.for(goodFileNames.map((name) => [brief(name), name] as const))('takes %s as a name, and its address reads it back', async ([, name], { api }) => {
    const response = await uploadText(api, name, 'text')
    expect(response.status).toBe(201)
    const read = await fetch(new URL(response.headers.get('location') ?? '', api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
    expect(await read.json()).toMatchObject({ name })
  })

  test.for(badFileNames.map((name) => [brief(name), name] as const))('refuses %s as a name in either form, and keeps nothing', async ([, name], { api }) => {
    const before = await countContents(api)
    const json = await expectProblem(await uploadText(api, name, 'text'), 'validation_failed')
    expect(json.errors).toMatchObject([{ path: '/name/value' }])
    const form = await expectProblem(await uploadForm(api, formOf(name, 'text')), 'validation_failed')
    expect(form.errors).toMatchObject([{ path: '/name' }])
    expect(await countContents(api)).toEqual(before)
  })

  test.for<[string, Record<string, string>]>([
    ['{}', { '/name': 'is required', '/content': 'is required' }],
    ['{"name":{"value":"x"}}', { '/content': 'is required' }],
    ['{"content":{"value":"x"}}', { '/name': 'is required' }],
    ['{"name":{},"content":{"value":"x"}}', { '/name/value': 'is required' }],
    ['{"name":{"value":"x"},"content":{}}', { '/content/value': 'is required' }],
    ['{"name":"x","content":{"value":"x"}}', { '/name': 'must be an object' }],
    ['{"name":{"value":1},"content":{"value":"x"}}', { '/name/value': expect.stringContaining('1 to 1000 characters') as string }],
    ['{"name":{"value":"x"},"content":{"value":null}}', { '/content/value': 'must be a text' }],
    ['{"name":{"value":"x"},"content":{"value":{"a":1}}}', { '/content/value': 'must be a text' }],
    ['{"name":{"value":"x"},"content":{"value":[[["x"]]]}}', { '/content/value': 'must be a text' }],
    ['{"name":{"value":"x"},"content":"x"}', { '/content': 'must be an object' }],
    ['{"name":{"value":"x"},"content":{"value":"x"},"type":"csv"}', { '/type': 'is not a known field' }],
    ['{"name":{"value":"x","a/b":1},"content":{"value":"x"}}', { '/name/a~1b': 'is not a known field' }],
    ['{"__proto__":{"value":"x"},"content":{"value":"x"}}', { '/__proto__': 'is not a known field' }],
    ['{"constructor":1}', { '/constructor': 'is not a known field' }],
    ['[]', { '': 'must be an object' }],
    ['"x"', { '': 'must be an object' }],
    ['1 ', { '': 'must be an object' }],
    ['null ', { '': 'must be an object' }],
    [`{"name":{"value":"x"},"content":{"value":"\\ud83d"}}`, { '/content/value': 'must not hold half a surrogate pair' }],
    [`{"name":{"value":"x"},"content":{"value":"\\ude00 and more"}}`, { '/content/value': 'must not hold half a surrogate pair' }],
  ])('refuses %s and names the field', async ([body, faults], { api }) => {
    const { errors } = await expectProblem(await uploadRaw(api, body), 'validation_failed')
    expect(errors).toEqual(Object.entries(faults).map(([path, message]) => ({ path, message })))
  })

  test.for([
    '', '{', '{"name"', '{"name":{"value":"x"},"content":{"value":"x"}', '{"name":{"value":"x"},"content":{"value":"x"}}}', '{"name":{"value":"x"},}', '{name:1}',
    '{"name":{"value":"x"},"content":{"value":"x\ny"}}', '{"name":{"value":"x"},"content":{"value":"\\x"}}', '{"name":{"value":"x"},"content":{"value":"x"}} x',
    '{"name":{"value":"x"},"name":{"value":"x"},"content":{"value":"x"}}', '{"name":{"value":"x","value":"y"},"content":{"value":"x"}}', "{'name':1}", 'tru',
  ])('refuses %j as malformed JSON', async (body, { api }) => {
    await expectProblem(await uploadRaw(api, body), 'malformed_json')
  })

  test('refuses bytes that are not UTF-8', async ({ api }) => {
    const body = Buffer.from('{"name":{"value":"x"},"content":{"value":"ä"}}', 'latin1')
    expect((await expectProblem(await uploadRaw(api, body), 'malformed_json')).detail).toContain('byte 43')
    await expectProblem(await uploadRaw(api, Buffer.from('{"name":{"value":"x"},"content":{"value":"ä').subarray(0, -1)), 'malformed_json')
  })

  test('takes a byte-order mark, escapes, NUL, pairs written as escapes, and the fields in any order', async ({ api }) => {
    const body = '\ufeff { "content" : {"value":"\\u0000\\ud83d\\ude00😀\\n\\"\\\\\\/"},\r\n"name":{"value":"esc\\u0061pes"} } '
    expect((await uploadRaw(api, body)).status).toBe(201)
    expect((await contentOf(api, 'escapes')).toString()).toBe('\u0000😀😀\n"\\/')
  })

  test('keeps text as it is, however the body is cut in transit', async ({ api }) => {
    const text = '名"\\\n\u0000😀'.repeat(40)
    const body = Buffer.from(JSON.stringify(uploadBody('sliced', text)))
    for (const slice of [1, 2, 3, 5, 64]) {
      async function* slices(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < body.length; at += slice) yield body.subarray(at, at + slice)
      }
      const response = await fetch(`${api.url}${filesPath}?replace=true`, {
        method: 'POST',
        headers: { Authorization: `svc ${api.adminKey}`, 'Content-Type': 'application/json' },
        body: slices(),
        duplex: 'half',
      })
      expect(response.status).toBe(201)
      expect((await contentOf(api, 'sliced')).toString()).toBe(text)
    }
  })

  test('takes any bytes as the file part of a form, before or behind the name', async ({ api }) => {
    const bytes = new Uint8Array(256).map((_, index) => index)
    const record = await keepBytes(api, 'bytes', bytes)
    expect(record).toMatchObject({ contentType: 'application/octet-stream', format: 'binary', bytes: 256, sha256: sha256(bytes) })
    expect(await contentOf(api, 'bytes')).toEqual(Buffer.from(bytes))
    const form = formOf(undefined, 'text')
    form.append('name', 'name last')
    expect((await uploadForm(api, form)).status).toBe(201)
  })

  test('names a part that is missing, unknown, twice there or no file', async ({ api }) => {
    const faultOf = async (form: FormData) => (await expectProblem(await uploadForm(api, form), 'validation_failed')).errors?.[0]
    expect(await faultOf(formOf(undefined, 'x'))).toEqual({ path: '/name', message: 'is required' })
    const bare = new FormData()
    bare.append('name', 'bare')
    expect(await faultOf(bare)).toMatchObject({ path: '/content', message: expect.stringContaining('file part') })
    const field = new FormData()
    field.append('name', 'field')
    field.append('content', 'text')
    expect(await faultOf(field)).toMatchObject({ path: '/content', message: 'is not a known field' })
    const twice = formOf('twice', 'x')
    twice.append('name', 'again')
    expect(await faultOf(twice)).toEqual({ path: '/name', message: 'is given twice' })
    const files = formOf('files', 'x')
    files.append('more', new Blob(['y']), 'more')
    await expectProblem(await uploadForm(api, files), 'bad_request')
    expect(await api.house.db.cellarFile.count({ where: { name: { in: ['bare', 'field', 'twice', 'files'] } } })).toBe(0)
  })

  test.for<[string, string]>([
    ['multipart/form-data', '--b--\r\n'],
    ['multipart/form-data; boundary=c', '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\ncut'],
    ['multipart/form-data; boundary=b', ''],
    ['multipart/form-data; boundary=b', 'garbage'],
  ])('refuses a broken form of %s: %j', async ([type, body], { api }) => {
    const before = await countContents(api)
    await expectProblem(await uploadRaw(api, body, { 'Content-Type': type }), 'bad_request')
    expect(await countContents(api)).toEqual(before)
  })

  test('refuses other content types, other character sets and compression', async ({ api }) => {
    for (const headers of [{ 'Content-Type': 'text/csv' }, { 'Content-Type': 'application/json; charset=latin1' }, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }]) {
      await expectProblem(await uploadRaw(api, '{}', headers), 'unsupported_media_type')
    }
  })

  test('refuses a name that is taken, before the content has come', async ({ api }) => {
    await keepText(api, 'taken', 'mine')
    await expectProblem(await uploadText(api, 'taken', 'yours'), 'conflict')
    await expectProblem(await uploadForm(api, formOf('taken', 'yours')), 'conflict')
    const wire = await Wire.open(api.url)
    wire.write(`POST ${filesPath} HTTP/1.1\nHost: x\nAuthorization: svc ${api.adminKey}\nContent-Type: application/json\nContent-Length: 1000000\n\n{"name":{"value":"taken"},`)
    await expectProblem(await wire.next(), 'conflict')
    wire.close()
    expect((await contentOf(api, 'taken')).toString()).toBe('mine')
  })

  test('replaces a file whole when it is asked to', async ({ api }) => {
    const first = await keepText(api, 'replaced', 'a,b\n1,2\n')
    const second = await keepBytes(api, 'replaced', '{"a":1}', 'application/json', '?replace=true')
    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt, version: 2, format: 'json', contentType: 'application/json', bytes: 7 })
    expect((await contentOf(api, 'replaced')).toString()).toBe('{"a":1}')
    expect(await keepText(api, 'replaced anew', 'x', { replace: 'true' })).toMatchObject({ version: 1 })
  })

  test('replaces only the version that If-Match names', async ({ api }) => {
    await keepText(api, 'versioned', 'one')
    const replace = (version: number) => uploadRaw(api, JSON.stringify(uploadBody('versioned', 'two')), { 'Content-Type': 'application/json', 'If-Match': `"${version}"` }, '?replace=true')
    await expectProblem(await replace(2), 'precondition_failed')
    expect(await (await replace(1)).json()).toMatchObject({ version: 2 })
    await expectProblem(await uploadRaw(api, formOf('absent', 'x'), { 'If-Match': '"1"' }, '?replace=true'), 'precondition_failed')
  })

  test('names a query parameter that is wrong or unknown', async ({ api }) => {
    for (const [name, value] of [['replace', 'yes'], ['replace', '1'], ['overwrite', 'true']] as const) {
      const { errors } = await expectProblem(await uploadText(api, 'never', 'x', { [name]: value }), 'validation_failed')
      expect(errors).toMatchObject([{ path: `/${name}`, in: 'query' }])
    }
  })

  test('keeps one of twenty uploads of one name at once, and nothing of the others', async ({ api }) => {
    const before = await countContents(api)
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await uploadText(api, 'contended', `text ${index}`)).status))
    expect(tally(statuses)).toEqual({ 201: 1, 409: 19 })
    expect(await countContents(api)).toEqual({ contents: before.contents + 1, chunks: before.chunks + 1 })
  })

  test('counts every one of twenty replacements at once, and ends with one of them whole', async ({ api }) => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => keepText(api, 'fought over', String(index).repeat(1000), { replace: 'true' })))
    const { sha256: hash, version } = (await api.house.db.cellarFile.findUnique({ where: { name: 'fought over' } })) ?? {}
    expect({ hash, version }).toEqual({ hash: sha256(await contentOf(api, 'fought over')), version: 20 })
  })

  test.for<[name: string, type: string, content: string, format: string, contentType: string]>([
    ['t1', 'text/csv', '{"a":1}', 'csv', 'text/csv'],
    ['t2.csv', 'application/json', 'a,b', 'json', 'application/json'],
    ['t3', 'application/vnd.api+json; charset=utf-8', 'x', 'json', 'application/vnd.api+json'],
    ['t4.json', 'application/x-ndjson', 'x', 'ndjson', 'application/x-ndjson'],
    ['t5.CSV', 'text/plain', 'x', 'csv', 'text/csv'],
    ['t6.ndjson', 'application/octet-stream', 'x', 'ndjson', 'application/x-ndjson'],
    ['t7.json', '', '', 'json', 'application/json'],
    ['t8', '', '', 'text', 'text/plain'],
    ['t9', '', '[1,2]', 'json', 'application/json'],
    ['t10', '', '{"a":1}\n{"a":2}\n', 'ndjson', 'application/x-ndjson'],
    ['t11', '', 'a,b\n1,2\n3,"4,5"\n', 'csv', 'text/csv'],
    ['t12', '', 'Dear reader,\nhello.\n', 'text', 'text/plain'],
    ['t13', '', 'a\u0000b', 'binary', 'application/octet-stream'],
    ['t14', 'image/png', 'a,b\n1,2\n', 'binary', 'image/png'],
    ['t15', 'text/html', '<p>', 'text', 'text/html'],
    ['t16.csv', 'nonsense', 'x', 'csv', 'text/csv'],
    ['t17.xls', 'application/vnd.ms-excel', 'a,b\n1,2', 'csv', 'text/csv'],
  ])('tells the format of %s of type %j with %j as %4$s', async ([name, type, content, format, contentType], { api }) => {
    expect(await keepBytes(api, name, content, type)).toMatchObject({ format, contentType })
  })

  test('bounds a file to the byte in either form, and keeps nothing of one that is larger', async () => {
    const api = await startApi({ CELLAR_MAX_BYTES: '3MiB' })
    try {
      const [fits, tooLarge] = ['ä'.repeat(3 * 2 ** 19), `${'ä'.repeat(3 * 2 ** 19)}x`]
      expect(await keepText(api, 'json', fits)).toMatchObject({ bytes: 3 * 2 ** 20 })
      expect(await keepBytes(api, 'form', fits)).toMatchObject({ bytes: 3 * 2 ** 20 })
      expect((await contentOf(api, 'json')).equals(await contentOf(api, 'form'))).toBe(true)
      const before = await countContents(api)
      expect(before).toEqual({ contents: 2, chunks: 6 })
      expect((await expectProblem(await uploadText(api, 'more json', tooLarge), 'body_too_large')).detail).toContain('3,145,728')
      await expectProblem(await uploadForm(api, formOf('more form', tooLarge)), 'body_too_large')
      await expectProblem(await uploadRaw(api, `{"name":{"value":"spaces"},${' '.repeat(21 * 2 ** 20)}`), 'body_too_large')
      expect(await countContents(api)).toEqual(before)
      expect(await api.house.db.cellarFile.count()).toBe(2)
    } finally {
      await api.close()
    }
  })

  test('leaves nothing behind when the client goes away or falls silent', async () => {
    const api = await startApi({ BODY_TIMEOUT_MS: '300' })
    const head = (type: string) => `POST ${filesPath} HTTP/1.1\nHost: x\nAuthorization: svc ${api.adminKey}\nContent-Type: ${type}\nContent-Length: 9000000\n\n`
    const json = `${head('application/json')}{"name":{"value":"gone"},"content":{"value":"${'x'.repeat(3_000_000)}`
    const form = `${head('multipart/form-data; boundary=b')}--b\nContent-Disposition: form-data; name="f"; filename="f"\n\n${'x'.repeat(3_000_000)}`
    try {
      for (const sent of [json, form]) {
        const silent = await Wire.open(api.url)
        silent.write(sent)
        await expectProblem(await silent.next(), 'request_timeout')
        silent.close()
        const gone = await Wire.open(api.url)
        gone.write(sent)
        await expect.poll(() => countContents(api)).not.toEqual({ contents: 0, chunks: 0 })
        gone.close()
        await expect.poll(() => countContents(api)).toEqual({ contents: 0, chunks: 0 })
      }
      expect(await api.house.db.cellarFile.count()).toBe(0)
    } finally {
      await api.close()
    }
  })

  test('writes the file and its audit entry together', async ({ api }) => {
    await keepText(api, 'audited', 'x')
    await uploadText(api, 'audited', 'y')
    const entries = await api.house.db.auditEntry.findMany({ where: { target: 'audited' } })
    expect(entries.map(({ operation, outcome }) => ({ operation, outcome }))).toEqual([{ operation: 'sirp.cellarFile.upload', outcome: 'done' }])
  })

  test('asks for the scope cellar:write before it reads anything', async ({ api, sendAs }) => {
    const reader = await limitedKey(api, 'cellar:read')
    await expectProblem(await sendAs(reader, 'sirp.cellarFile.upload', { body: uploadBody('refused', 'x') }), 'forbidden')
    const writer = await limitedKey(api, 'cellar:write')
    expect(((await (await sendAs(writer, 'sirp.cellarFile.upload', { body: uploadBody('allowed', 'x') })).json()) as CellarFile).name).toBe('allowed')
  })
})
