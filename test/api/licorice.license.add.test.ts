import { describe, expect } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { startApi } from '../support/api.ts'
import { describeLicenseAdding } from '../support/licenseAdding.ts'
import { licenseBody, rawPublicKey, signLicense, test, vendor } from '../support/licenses.ts'

const id = 'licorice.license.add'

describeLicenseAdding(id)

describe(`${id}, keys`, () => {
  const pem = vendor.publicKey.export({ type: 'spki', format: 'pem' }).toString()

  test.for([
    ['PEM', pem],
    ['PEM in one line', pem.replaceAll('\n', '\\n')],
    ['bare bytes', rawPublicKey],
  ] as const)('takes the public key as %s', async ([, setting]) => {
    const api = await startApi({ LICENSE_PUBLIC_KEY: setting })
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    expect(await call(id, { body: licenseBody(await signLicense()) })).toMatchObject({ licensee: 'Acme' })
    await api.close()
  })

  test.for([
    ['no key', {}, /set LICENSE_PUBLIC_KEY/],
    ['a key that is none', { LICENSE_PUBLIC_KEY: 'public' }, /LICENSE_PUBLIC_KEY is no Ed25519 public key/],
    ['a private key', { LICENSE_PUBLIC_KEY: vendor.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }, /LICENSE_PUBLIC_KEY is no Ed25519 public key/],
  ] as const)('refuses every license under %s, and says what to set', async ([, settings, reason]) => {
    const api = await startApi(settings)
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    await expect(call(id, { body: licenseBody(await signLicense()) })).rejects.toMatchObject({ status: 422, code: 'license_invalid', message: expect.stringMatching(reason) })
    await api.close()
  })

  test('leaves an entry in the audit log, and none where the license is refused', async ({ api, call }) => {
    const entries = () => api.house.db.auditEntry.count({ where: { operation: id } })
    const before = await entries()
    const record = await call(id, { body: licenseBody(await signLicense()) })
    await expect(call(id, { body: licenseBody('x') })).rejects.toMatchObject({ status: 422 })
    expect(await entries()).toBe(before + 1)
    expect(await api.house.db.auditEntry.count({ where: { operation: id, target: record.id } })).toBe(1)
  })
})
