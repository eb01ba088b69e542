import { describe, expect } from 'vitest'
import { send } from '../../src/client/index.ts'
import { test } from '../support/api.ts'
import { contentOf, keepBytes, keepText } from '../support/cellar.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem, expectSecurityHeaders } from '../support/problems.ts'

const id = 'sirp.cellarFile.content'

describe(id, () => {
  test('sends the bytes as they were uploaded, as an attachment of their length', async ({ api, sendAs }) => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536))
    await keepBytes(api, 'some bytes.bin', bytes)
    const response = await sendAs(api.adminKey, id, { params: { name: 'some bytes.bin' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-length')).toBe('65536')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="some bytes.bin"')
    expectSecurityHeaders((name) => response.headers.get(name))
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
  })

  test.for([0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])('sends %i bytes, whatever their chunks', async (count, { api }) => {
    const bytes = new Uint8Array(count).map((_, index) => index % 251)
    await keepBytes(api, `counted ${count}`, bytes)
    expect((await contentOf(api, `counted ${count}`)).equals(Buffer.from(bytes))).toBe(true)
  })

  test.for<[string, string]>([
    ['text/html', 'text/plain'],
    ['text/javascript', 'text/plain'],
    ['text/xml', 'text/plain'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['application/javascript', 'application/octet-stream'],
    ['application/xml', 'application/octet-stream'],
    ['application/x-shockwave-flash', 'application/octet-stream'],
    ['application/json', 'application/json'],
    ['text/csv', 'text/csv'],
    ['image/png', 'image/png'],
  ])('sends %s as %s', async ([type, sent], { api, sendAs }) => {
    const name = type.replaceAll(/\W/g, '-')
    await keepBytes(api, name, '<script>alert(1)</script>', type)
    const response = await sendAs(api.adminKey, id, { params: { name } })
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(sent)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  test('gives a reader the old content whole while the file is replaced and then deleted', async ({ api, call }) => {
    const old = 'o'.repeat(16 * 2 ** 20)
    await keepBytes(api, 'busy', old)
    const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, id, { params: { name: 'busy' } })
    await keepText(api, 'busy', 'new', { replace: 'true' })
    expect((await contentOf(api, 'busy')).toString()).toBe('new')
    await call('sirp.cellarFile.delete', { params: { name: 'busy' } })
    let [length, others] = [0, 0]
    for await (const part of response.body ?? []) {
      const bytes = part as Uint8Array // what a body yields, though its type does not say so
      length += bytes.length
      if (bytes.some((byte) => byte !== 0x6f)) others += 1
    }
    expect({ length, others }).toEqual({ length: old.length, others: 0 })
  })

  test('cuts the answer off, and sends nothing wrong, where a chunk is gone', async ({ api, sendAs }) => {
    const { id: fileId } = await keepBytes(api, 'holed', new Uint8Array(9 * 2 ** 20))
    const { contentId } = await api.house.db.cellarFile.findUniqueOrThrow({ where: { id: fileId } })
    await api.house.db.cellarChunk.deleteMany({ where: { contentId, sequence: 8 } })
    const response = await sendAs(api.adminKey, id, { params: { name: 'holed' } })
    await expect(response.arrayBuffer()).rejects.toThrow('terminated')
    await api.house.db.cellarChunk.deleteMany({ where: { contentId, sequence: 0 } })
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'holed' } }), 'conflict')
  })

  test('answers not_found for a name that nothing has, and refuses names that none can have', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody' } }), 'not_found')
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'a/b' } }), 'validation_failed')
  })

  test('asks for the scope cellar:read', async ({ api, sendAs }) => {
    await keepText(api, 'guarded', 'x')
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:write'), id, { params: { name: 'guarded' } }), 'forbidden')
  })
})
