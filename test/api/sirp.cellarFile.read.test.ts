import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathNames, filesPath, keepBytes, keepText } from '../support/cellar.ts'
import { brief } from '../support/labels.ts'
import { expectProblem } from '../support/problems.ts'
import { sendPath } from '../support/rawPath.ts'

const id = 'sirp.cellarFile.read'

describe(id, () => {
  test('answers the record with its version and a preview', async ({ api, sendAs }) => {
    const record = await keepText(api, 'read.csv', 'a,b\n1,x\n')
    const response = await sendAs(api.adminKey, id, { params: { name: 'read.csv' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual({ ...record, preview: { rows: [{ a: 1, b: 'x' }] } })
  })

  const list = (length: number) => Array.from({ length }, (_, index) => ({ n: index }))
  const manyLines = list(50_000).map((row) => JSON.stringify(row)).join('\n')

  test.for<[name: string, content: string, preview: unknown]>([
    ['nested.json', '[{"a":{"b":[1,{"c":null}]},"d":[],"e":{}}]', { rows: [{ 'a.b.0': 1, 'a.b.1.c': null }] }],
    ['object.json', '{"a":true}', { rows: [{ a: true }] }],
    ['scalars.json', '[1,"x",null]', { rows: [{ value: 1 }, { value: 'x' }, { value: null }] }],
    ['eleven.json', JSON.stringify(list(11)), { rows: list(10) }],
    ['none.json', '[]', { rows: [] }],
    ['broken.json', '[{"a":1},{"a":]', { text: '[{"a":1},{"a":]' }],
    ['empty.json', '', { text: '' }],
    ['marked.ndjson', '\ufeff{"a":1}\r\n\r\n{"a":2}', { rows: [{ a: 1 }, { a: 2 }] }],
    ['broken.ndjson', '{"a":1}\nnot', { text: '{"a":1}\nnot' }],
    ['many.ndjson', manyLines, { rows: list(10) }],
    ['many.json', `[${manyLines.replaceAll('\n', ',')}]`, { rows: list(10) }],
    ['many.csv', `n\n${list(60_000).map(({ n }) => n).join('\n')}`, { rows: list(10) }],
    ['cut.csv', `n,t\n${'1,"a\nb"\n'.repeat(50_000)}`, { rows: Array.from({ length: 10 }, () => ({ n: 1, t: 'a\nb' })) }],
    ['long.json', `["${'x'.repeat(300_000)}"]`, { text: `["${'x'.repeat(1998)}` }],
    ['long.ndjson', `"${'x'.repeat(300_000)}"\n`, { text: `"${'x'.repeat(1999)}` }],
    ['wide.json', JSON.stringify([{ ['k'.repeat(1000)]: Array.from({ length: 2_000 }, () => 0) }]), { text: `[{"${'k'.repeat(1000)}":[${'0,'.repeat(2_000)}`.slice(0, 2_000) }],
    ['header.csv', 'a,b\r\n', { rows: [] }],
    ['empty.csv', '', { rows: [] }],
    ['text', 'some text', { text: 'some text' }],
    ['emoji', '😀'.repeat(2_001), { text: '😀'.repeat(2_000) }],
    ['umlauts', 'ä'.repeat(9_000), { text: 'ä'.repeat(2_000) }],
  ])('previews %s', async ([name, content, preview], { api, call }) => {
    await keepText(api, name, content)
    expect((await call(id, { params: { name } })).preview).toEqual(preview)
  })

  test('shows nothing of bytes', async ({ api, call }) => {
    await keepBytes(api, 'bytes', new Uint8Array(3_000))
    expect((await call(id, { params: { name: 'bytes' } })).preview).toBeNull()
  })

  test('answers not_found for a name that nothing has', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody' } }), 'not_found')
  })

  test.for(badPathNames.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'GET', `${filesPath}/${name}`)
    expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: '/name', in: 'path' }] })
  })
})
