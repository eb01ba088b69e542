import { generateKeyPairSync } from 'node:crypto'
import { describe, expect } from 'vitest'
import { serviceNames } from '../../src/contract/services.ts'
import { startApi } from '../support/api.ts'
import { createClient } from '../../src/client/index.ts'
import { licenseBody, secondsFromNow, signLicense, test } from '../support/licenses.ts'

const id = 'sirp.service.licenses'
const community = { licensed: true, plan: 'community', licensee: 'community', expiresAt: null, source: 'community' }

describe(id, () => {
  test('goes from the community license to the newest one that is valid and names the service', async ({ api, call }) => {
    const covering = async () => Object.fromEntries((await call(id)).items.map(({ service, plan }) => [service, plan]))
    const all = (plan: string) => Object.fromEntries(serviceNames.map((name) => [name, plan]))
    const add = async (plan: string, claims: object) => call('licorice.license.add', { body: licenseBody(await signLicense({ plan, ...claims })) })

    expect(await call(id)).toEqual({ items: serviceNames.map((service) => ({ service, ...community })), total: 10, offset: 0, limit: 100 })

    const exp = secondsFromNow(3_600)
    await add('whole', { services: ['*'], exp })
    expect((await call(id)).items[0]).toEqual({ service: 'gonogo', licensed: true, plan: 'whole', licensee: 'Acme', expiresAt: new Date(exp * 1000).toISOString(), source: 'license' })
    expect(await covering()).toEqual(all('whole'))

    const { id: part } = await add('part', { services: ['sirp', 'krull'] })
    expect(await covering()).toEqual({ ...all('whole'), sirp: 'part', krull: 'part' })

    await api.house.db.license.update({ where: { id: part }, data: { expiresAt: new Date(0) } })
    expect(await covering()).toEqual(all('whole'))
  })

  test('does not believe a stored license whose signature does not hold', async ({ api, call }) => {
    const token = await signLicense({ plan: 'forged', services: ['*'] }, generateKeyPairSync('ed25519').privateKey)
    await api.house.db.license.create({ data: { id: '11111111-1111-4111-8111-111111111111', licensee: 'Me', plan: 'forged', services: [...serviceNames], token } })
    expect(new Set((await call(id)).items.map(({ plan }) => plan))).not.toContain('forged')
  })

  test('answers page by page', async ({ call }) => {
    const { items } = await call(id)
    expect(await call(id, { query: { offset: 8, limit: 5 } })).toEqual({ items: items.slice(8), total: 10, offset: 8, limit: 5 })
    await expect(call(id, { query: { limit: 1001 } })).rejects.toMatchObject({ status: 400 })
  })

  test('knows the community license where no key is set', async () => {
    const api = await startApi()
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    expect((await call(id)).items).toEqual(serviceNames.map((service) => ({ service, ...community })))
    await api.close()
  })
})
