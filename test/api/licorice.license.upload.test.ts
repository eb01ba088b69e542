import { describe, expect } from 'vitest'
import type { RunningApi } from '../support/api.ts'
import { describeLicenseAdding } from '../support/licenseAdding.ts'
import { licenseBody, signLicense, test } from '../support/licenses.ts'
import { exchange } from '../support/wire.ts'

const id = 'licorice.license.upload'
const path = '/v1/licorice/license/upload'

describeLicenseAdding(id)

const upload = (api: RunningApi, body: FormData | string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(api.url + path, { method: 'POST', headers: { Authorization: `svc ${api.adminKey}`, ...headers }, body })

/** A form with one file. */
function form(content: string, part = 'licenseKey'): FormData {
  const data = new FormData()
  data.append(part, new Blob([content]), 'license.jws')
  return data
}

describe(`${id}, multipart`, () => {
  test('takes the license as the file part licenseKey', async ({ api }) => {
    const response = await upload(api, form(`${await signLicense()}\n`))
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ licensee: 'Acme', plan: 'team', services: ['sirp', 'krull'] })
  })

  test('refuses a file that is no license with the reason', async ({ api }) => {
    for (const content of ['', 'hello', '\u0000\ufffd']) {
      const response = await upload(api, form(content))
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ code: 'license_invalid' })
    }
  })

  test('takes 64 KiB and refuses more', async ({ api }) => {
    expect((await upload(api, form(' '.repeat(65_536)))).status).toBe(422)
    const response = await upload(api, form(' '.repeat(65_537)))
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
  })

  test('names a part that is unknown, missing or no file', async ({ api }) => {
    const faultOf = async (data: FormData) => {
      const response = await upload(api, data)
      expect(response.status).toBe(400)
      return ((await response.json()) as { errors: unknown[] }).errors[0]
    }
    expect(await faultOf(new FormData())).toEqual({ path: '/licenseKey', message: 'is required' })
    expect(await faultOf(form('x', 'license'))).toEqual({ path: '/license', message: 'is not a known field' })
    const field = new FormData()
    field.append('licenseKey', await signLicense())
    expect(await faultOf(field)).toEqual({ path: '/licenseKey', message: 'must be a file part, with a filename' })
    const more = form(await signLicense())
    more.append('note', 'x')
    expect(await faultOf(more)).toEqual({ path: '/note', message: 'is not a known field' })
  })

  test('refuses two files, a missing boundary and a body that is cut', async ({ api }) => {
    const twice = form(await signLicense())
    twice.append('licenseKey', new Blob(['x']), 'b')
    expect((await upload(api, twice)).status).toBe(400)
    expect((await upload(api, 'x', { 'Content-Type': 'multipart/form-data' })).status).toBe(400)
    expect((await upload(api, '--b\r\nContent-Disposition: form-data; name="licenseKey"; filename="a"\r\n\r\nx', { 'Content-Type': 'multipart/form-data; boundary=b' })).status).toBe(400)
  })

  test('does not read JSON for ever', async ({ hand }) => {
    const response = await hand(id, licenseBody(' '.repeat(600_000)))
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
  })

  test('refuses other content types and broken JSON', async ({ api }) => {
    expect((await upload(api, await signLicense(), { 'Content-Type': 'text/plain' })).status).toBe(415)
    for (const body of ['{', '', '[1', '{"licenseKey":{"content":"x"}', '['.repeat(60_000)]) {
      const response = await upload(api, body, { 'Content-Type': 'application/json' })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'malformed_json' })
    }
    expect((await upload(api, `{"__proto__":${JSON.stringify(licenseBody('x'))}}`, { 'Content-Type': 'application/json' })).status).toBe(400)
  })

  test('asks for a key before it reads anything', async ({ api }) => {
    const answer = await exchange(api.url, `POST ${path} HTTP/1.1\nHost: x\nContent-Type: multipart/form-data; boundary=b\nContent-Length: 65536\n\n`)
    expect(answer.status).toBe(401)
  })

  test('is not kept from ending by a file that never comes', async ({ api }) => {
    const head = `POST ${path} HTTP/1.1\nHost: x\nAuthorization: svc ${api.adminKey}\nContent-Type: multipart/form-data; boundary=b\nTransfer-Encoding: chunked\n\n`
    const answer = await exchange(api.url, head, '10\n--b\ngarbage\n--b-\n', '2\n-\n\n0\n\n')
    expect(answer.status).toBe(400)
  })
})
