import { describe, expect } from 'vitest'
import { test } from './api.ts'
import { badLabels, brief, goodLabels } from './labels.ts'

/** A secret as it is answered. */
export interface SecretRecord {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly secret?: string
  readonly metadata?: Record<string, unknown>
}

type Variant = 'create' | 'createTyped'

/** What both ways to create a secret have in common. */
export function describeSecretLimits(variant: Variant): void {
  const id = `secrets.secret.${variant}` as const
  const params = variant === 'createTyped' ? { params: { type: 'custom' } } : {}

  describe(`${id}, limits`, () => {
    test.for(goodLabels(250).map((name) => [brief(name), name] as const))('takes %s as a name, and its address reads it back', async ([, name], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { ...params, body: { name } })
      expect(response.status).toBe(201)
      const read = await fetch(new URL(response.headers.get('location') ?? '', api.url), { headers: { Authorization: `svc ${api.adminKey}` } })
      expect(read.status).toBe(200)
      expect(await read.json()).toMatchObject({ name })
    })

    test.for(badLabels(250).map((name) => [brief(name), name] as const))('refuses %s as a name and says where', async ([, name], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { ...params, body: { name } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: '/name' }] })
    })

    test.for(['', 'x'.repeat(100_001), 'a\u0000b', 1, null, {}])('refuses a wrong value without showing it', async (secret, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { ...params, body: { name: 'wrong value', secret } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: '/secret' }] })
    })

    test.for([
      [{ type: 'nonsense' }, '/type'],
      [{ type: null }, '/type'],
      [{ providerType: 'x'.repeat(1001) }, '/providerType'],
      [{ providerType: 7 }, '/providerType'],
      [{ metadata: 'text' }, '/metadata'],
      [{ metadata: [] }, '/metadata'],
      [{ metadata: null }, '/metadata'],
      [{ metadata: { type: 7 } }, '/metadata/type'],
      [{ value: 'x' }, '/value'],
    ] as const)('refuses %j and names the field', async ([fields, path], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { ...params, body: { name: 'wrong field', ...fields } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    })
  })
}
