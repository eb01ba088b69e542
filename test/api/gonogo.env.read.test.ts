import { describe, expect } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { settings } from '../../src/platform/env.ts'
import { startApi, test } from '../support/api.ts'

const id = 'gonogo.env.read'

describe(id, () => {
  test('shows every setting that is not secret, with its value as text, its default and what it is for', async () => {
    const api = await startApi({ POLICY_DEFAULT: '2/20/120', EGRESS_ALLOW: '10.0.0.0/8, a.example:80', CELLAR_MAX_BYTES: '5MiB' })
    const { items, total } = await createClient({ baseUrl: api.url, apiKey: api.adminKey })(id)
    const named = (name: string) => items.find((item) => item.name === name)
    expect(named('POLICY_DEFAULT')).toEqual({ name: 'POLICY_DEFAULT', value: '2/20/120', default: '1/10/60', description: settings.policyDefault.doc })
    expect(named('EGRESS_ALLOW')).toMatchObject({ value: '10.0.0.0/8,a.example:80', default: '' })
    expect(named('CELLAR_MAX_BYTES')).toMatchObject({ value: String(5 * 2 ** 20), default: '1GiB' })
    expect(named('PORT')).toMatchObject({ value: '1968', default: '1968' })
    expect(named('CHROME_PATH')).toMatchObject({ value: null, default: null })
    const open = Object.values(settings).filter((row) => !('secret' in row && row.secret))
    expect(items.map((item) => item.name)).toEqual(open.map((row) => row.name))
    expect(total).toBe(open.length)
    await api.close()
  })

  test('shows neither the names nor the values of secret settings', async () => {
    const secrets = { MASTER_KEY: 'canary-master-key-0123456789012345', MASTER_KEY_PREVIOUS: 'canary-earlier-key-012345678901234', BOOTSTRAP_API_KEY: 'canary-first-api-key-01234567890123' }
    const api = await startApi(secrets)
    const text = JSON.stringify(await createClient({ baseUrl: api.url, apiKey: api.adminKey })(id))
    expect(text).not.toContain('canary')
    for (const name of [...Object.keys(secrets), 'DATABASE_URL', 'REDIS_URL']) expect(text).not.toContain(`"${name}"`)
    expect(text).not.toContain('postgres')
    await api.close()
  })

  test('answers page by page', async ({ call }) => {
    const { items, total } = await call(id)
    expect(await call(id, { query: { offset: 1, limit: 2 } })).toEqual({ items: items.slice(1, 3), total, offset: 1, limit: 2 })
    await expect(call(id, { query: { limit: 0 } })).rejects.toMatchObject({ status: 400 })
  })
})
