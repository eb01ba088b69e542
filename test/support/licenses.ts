import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { test as base } from 'vitest'
import { createClient, send, type Call } from '../../src/client/index.ts'
import { startApi, type RunningApi } from './api.ts'

/** The pair of keys that a vendor of licenses would hold. */
export const vendor = generateKeyPairSync('ed25519')

/** The public key as the setting takes it: the bare bytes in base64url. */
export const rawPublicKey = String(vendor.publicKey.export({ format: 'jwk' }).x)

/** A second from now, or before it, as claims count time. */
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

const claims = { licensee: 'Acme', plan: 'team', services: ['sirp', 'krull'] }

/** Signs a license; claims that are undefined are left out. */
export function signLicense(changes: Record<string, unknown> = {}, key: KeyObject = vendor.privateKey): Promise<string> {
  const payload = Object.fromEntries(Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined))
  return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA' }).sign(key)
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A license with a header of the forger's own, signed by no key or by the public key taken for a shared secret. */
export function forgeLicense(header: object, changes: object = {}): string {
  const text = `${part(header)}.${part({ ...claims, ...changes })}`
  const alg = (header as { alg?: string }).alg ?? ''
  return `${text}.${alg.startsWith('HS') ? createHmac('sha256', Buffer.from(rawPublicKey, 'base64url')).update(text).digest('base64url') : ''}`
}

/** The usual body around a license. */
export const licenseBody = (content: string, fields: object = {}) => ({ licenseKey: { filename: 'license.jws', content, ...fields } })

interface LicenseFixtures {
  /** An API that knows the vendor's key. */
  api: RunningApi
  call: Call
  /** Sends a license to one of the two operations and answers the raw response. */
  hand: (id: 'licorice.license.add' | 'licorice.license.upload', body: unknown) => Promise<Response>
}

/** Vitest's `test` with an API that knows the vendor's key. */
export const test = base.extend<LicenseFixtures>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const api = await startApi({ LICENSE_PUBLIC_KEY: rawPublicKey })
      await use(api)
      await api.close()
    },
    { scope: 'file' },
  ],
  call: async ({ api }, use) => use(createClient({ baseUrl: api.url, apiKey: api.adminKey })),
  hand: async ({ api }, use) => use((id, body) => send({ baseUrl: api.url, apiKey: api.adminKey }, id, { body })),
})
