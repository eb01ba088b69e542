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

  test('refuses every license without a key, and says what to set', async () => {
    const api = await startApi()
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    const refusal = { status: 422, code: 'license_invalid', message: expect.stringMatching(/set LICENSE_PUBLIC_KEY/) as string }
    await expect(call(id, { body: licenseBody(await signLicense()) })).rejects.toMatchObject(refusal)
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
